import type { Context } from '#lib/core/context/context.ts'
import { alsoOn, type OtherChain } from '#lib/core/entities/also-on.ts'
import { type AuthorWords, findAuthorWords } from '#lib/core/entities/author-words.ts'
import { entityTraits } from '#lib/core/entities/entity-traits.ts'
import { type EntityPublication, findEntityPublication } from '#lib/core/entities/find-publication.ts'
import { getEntity } from '#lib/core/entities/get-entity.ts'
import { namesOf } from '#lib/core/people/users.ts'
import type { EntityHit } from '#lib/features/search/hit.ts'
import { search } from '#lib/features/search/search.ts'
import { chainPath, chainTitle } from '#lib/platform/further-chains.ts'
import type { CodeTraits } from '#lib/protocol/code-traits.ts'
import { type Address, ENTITY_KINDS, type EntityKind } from '#lib/protocol/entity.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { type Reference, references } from '#lib/protocol/references.ts'
import { PICTURED_PARTICLES } from './entity.ts'
import { undefinedOn } from './expected-failures.ts'
import { type FeedView, feedView } from './feed.ts'
import { readFeedQuery } from './feed-query.ts'
import type { QueryParams } from './query.ts'
import type { Run } from './run.ts'
import { runForPage } from './run-connector.ts'

/** A chain of the site, as the switch between chains offers it. */
export interface ChainChoice {
  readonly chainId: number
  readonly name: string
  /** Of its newest publications. */
  readonly href: string
  readonly current: boolean
}

type Configured = Pick<Context, 'config'>

/**
 * All chains of the site, the default one first; empty where there is only one.
 *
 * @param current Id of the chain that is shown; undefined for the default one.
 */
export function chainChoices(
  { config }: Configured,
  current: number | undefined = config.chainId,
): readonly ChainChoice[] {
  const { chainId: own, furtherChains } = config
  if (own === undefined || furtherChains.length === 0) return []
  return [{ ...config, chainId: own }, ...furtherChains].map(({ chainId, chainName, databaseUrl }) => ({
    chainId,
    name: chainTitle(chainId, chainName),
    href: chainPath({ chainId, databaseUrl }) || '/feed',
    current: chainId === current,
  }))
}

/** A further chain that is read; `closed` is why it cannot be. */
export type ChainReading<T> =
  | { readonly chain: ChainChoice; readonly value: T; readonly closed?: undefined }
  | { readonly chain: ChainChoice; readonly closed: string }

/**
 * Reads from a further chain.
 *
 * @param id As an address has it.
 * @returns undefined for a chain that is not one of the further ones.
 */
export async function readOnChain<T>(
  ctx: Context,
  id: string,
  read: (ctx: Context, choices: readonly ChainChoice[]) => Promise<T>,
): Promise<ChainReading<T> | undefined> {
  const choices = chainChoices(ctx, Number(id))
  // Another spelling of a number would be another address of the same thing.
  const chain = choices.find(({ chainId }) => String(chainId) === id && chainId !== ctx.config.chainId)
  if (chain === undefined) return undefined
  try {
    return { chain, value: await read(await contextOn(ctx, chain.chainId), choices) }
  } catch (error) {
    ctx.log.warn({ err: error, chain: chain.chainId }, 'Failed to read a further chain for a page')
    return { chain, closed: 'What this chain holds cannot be read now. Its state is on the page Status.' }
  }
}

async function contextOn(ctx: Context, chainId: number): Promise<Context> {
  return { ...ctx, ...(await ctx.chains.on(chainId)) }
}

export interface ChainView extends FeedView {
  readonly choices: readonly ChainChoice[]
}

/** The newest publications of a further chain. */
export function chainView(
  ctx: Context,
  id: string,
  params: QueryParams,
): Promise<ChainReading<ChainView> | undefined> {
  const { kind, before } = readFeedQuery(params)
  return readOnChain(ctx, id, async (on, choices) => ({
    ...(await feedView(on, { kind, before, status: undefined, block: undefined })),
    choices,
  }))
}

/** What a further chain's page of an entity shows. */
export interface ChainEntityView {
  readonly publication: EntityPublication
  readonly owner: Address
  readonly ownerName: string | undefined
  readonly words: AuthorWords | undefined
  readonly traits: CodeTraits | undefined
  /** What it names, in the order of its definition. */
  readonly parts: readonly Reference[]
  /** Of a connector. */
  readonly run: Run | undefined
  readonly otherChains: readonly OtherChain[]
  readonly origin: string
  readonly nowMs: number
}

/** An entity that is published on a further chain; its value is undefined where it is not. */
export function chainEntityView(
  ctx: Context,
  id: string,
  kind: EntityKind,
  name: string,
): Promise<ChainReading<ChainEntityView | undefined> | undefined> {
  return readOnChain(ctx, id, async (on) => {
    const publication = isEntityName(name) ? await findEntityPublication(on, kind, name) : undefined
    if (publication === undefined) return undefined
    const { owner, contentHash } = publication
    const [entity, words, traits, names, otherChains, run] = await Promise.all([
      getEntity(on, kind, name).catch(undefinedOn('not_found', 'execution_failed')),
      findAuthorWords(on, kind, name),
      entityTraits(on, kind, name),
      namesOf(on, [owner]),
      alsoOn(on, kind, name, contentHash),
      kind === 'connector' ? runForPage(on, name, PICTURED_PARTICLES, contentHash) : undefined,
    ])
    const definition = entity !== undefined && 'definition' in entity ? entity.definition : undefined
    return {
      publication,
      owner,
      ownerName: names.get(owner),
      words,
      traits,
      parts: definition === undefined ? [] : distinct(references(definition)),
      run,
      otherChains,
      origin: on.config.siteOrigin,
      nowMs: on.clock().getTime(),
    }
  })
}

function distinct(parts: readonly Reference[]): readonly Reference[] {
  return [...new Map(parts.map((part) => [`${part.kind}/${part.name}`, part])).values()]
}

/** Names on a further chain that fit a search. */
export interface HitsElsewhere {
  readonly chain: ChainChoice
  readonly hits: readonly {
    readonly kind: EntityKind
    readonly name: string
    readonly owner: Address
    readonly href: string
  }[]
}

const MOST_ELSEWHERE = 6

/** Searches the further chains; one that cannot be read is left out, as the others are worth having. */
export async function searchElsewhere(ctx: Context, text: string): Promise<readonly HitsElsewhere[]> {
  const further = chainChoices(ctx).filter(({ current }) => !current)
  const found = await Promise.all(
    further.map(async (chain): Promise<HitsElsewhere> => {
      const answer = await readOnChain(ctx, String(chain.chainId), (on) =>
        search(on, { text, kinds: ENTITY_KINDS, most: MOST_ELSEWHERE }),
      )
      const all = answer?.closed === undefined ? answer?.value.hits : undefined
      const hits = ENTITY_KINDS.flatMap((kind) =>
        ((all?.get(kind) ?? []) as readonly EntityHit[])
          .filter(({ draft }) => !draft)
          .map(({ name, owner }) => ({
            kind,
            name,
            owner,
            href: entityOnChainHref(chain.chainId, kind, name),
          })),
      )
      return { chain, hits: hits.slice(0, MOST_ELSEWHERE) }
    }),
  )
  return found.filter(({ hits }) => hits.length > 0)
}

/** Page of an entity on a further chain. */
export function entityOnChainHref(chainId: number, kind: EntityKind, name: string): string {
  return `/chains/${chainId}/${kind}s/${encodeURIComponent(name)}`
}
