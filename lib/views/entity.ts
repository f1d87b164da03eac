import type { Context } from '#lib/core/context/context.ts'
import { type AuthorWords, findAuthorWords } from '#lib/core/entities/author-words.ts'
import { type DependencyGraph, dependencyGraph } from '#lib/core/entities/dependency-graph.ts'
import { entityTraits } from '#lib/core/entities/entity-traits.ts'
import { type EntityPublication, findEntityPublication } from '#lib/core/entities/find-publication.ts'
import { getEntity } from '#lib/core/entities/get-entity.ts'
import { type FormatPage, getFormat } from '#lib/core/entities/get-format.ts'
import { type Related, related, type UsersPage, usedBy } from '#lib/core/entities/relations.ts'
import { findRemixes, type Remixes } from '#lib/core/entities/remixes.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { findStill, stillHref } from '#lib/features/pieces/index.ts'
import { type EntityHit, search } from '#lib/features/search/index.ts'
import type { SisterSite } from '#lib/platform/config-checks.ts'
import type { CodeTraits } from '#lib/protocol/code-traits.ts'
import { type Address, ENTITY_KINDS, type EntityKind, type Hash } from '#lib/protocol/entity.ts'
import { parseHash } from '#lib/protocol/hash.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { undefinedOn } from './expected-failures.ts'
import { type PieceCounts, pieceCounts } from './piece-counts.ts'
import type { Run } from './run.ts'
import { runForPage } from './run-connector.ts'

/** Particles of the picture on a connector's page. */
export const PICTURED_PARTICLES = 64

const PAGE_USERS = 24
const PAGE_RELATED = 6
/** As much as a drawing shows and a list can be read. */
const DRAWN = { levels: 4, names: 12, nodes: 48 }

type EntityOf<K extends EntityKind> = Awaited<ReturnType<typeof getEntity<K>>>

export interface EntityView<K extends EntityKind> {
  /** Undefined while unverified. */
  readonly entity: EntityOf<K> | undefined
  /** Undefined for a draft. */
  readonly publication: EntityPublication | undefined
  /** Sites of other chains. */
  readonly sisterSites: readonly SisterSite[]
  readonly owner: Address
  /** The owner's display name; undefined without one. */
  readonly ownerName: string | undefined
  /** Dependence of its results; undefined while dependencies are missing. */
  readonly traits: CodeTraits | undefined
  /** Undefined where the author published none. */
  readonly words: AuthorWords | undefined
  readonly remixes: Remixes
  readonly counts: PieceCounts
  readonly users: UsersPage
  /** Display names of the owners of the users. */
  readonly userNames: ReadonlyMap<Address, string>
  readonly related: Related
  readonly origin: string
  readonly nowMs: number
}

/** A connector with a picture of what it generates, and what it is made of. */
export interface ConnectorView extends EntityView<'connector'> {
  readonly run: Run
  /** Address of the picture that its owner took; undefined without one. */
  readonly still: string | undefined
  /** Undefined while the definition is. */
  readonly graph: DependencyGraph | undefined
}

interface EntityViewOptions {
  readonly usersAfter?: string | undefined
  readonly asPublished?: boolean | undefined
}

/**
 * The view of an entity's page; undefined for an unknown name.
 *
 * @param options.usersAfter Exclusive cursor of the list of users; an invalid one is ignored.
 * @param options.asPublished Whether its words are only those that the chain has.
 * @throws What the database throws when it cannot be read.
 */
export async function entityView<K extends EntityKind>(
  ctx: Context,
  kind: K,
  name: string,
  { usersAfter, asPublished }: EntityViewOptions = {},
): Promise<EntityView<K> | undefined> {
  if (!isEntityName(name)) return undefined
  const after = usersAfter !== undefined && isEntityName(usersAfter) ? usersAfter : ''
  const [entity, publication, users, traits, words, remixes, counts] = await Promise.all([
    getEntity(ctx, kind, name).catch(undefinedOn('not_found', 'execution_failed')),
    findEntityPublication(ctx, kind, name),
    usedBy(ctx, { kind, name, limit: PAGE_USERS, after }),
    entityTraits(ctx, kind, name),
    findAuthorWords(ctx, kind, name, { asPublished }),
    findRemixes(ctx, { kind, name }),
    pieceCounts(ctx, [{ kind, name }]),
  ])
  const owner = entity?.owner ?? publication?.owner
  if (owner === undefined) return undefined
  const formatHash = entity !== undefined && 'formatHash' in entity ? entity.formatHash : undefined
  const [near, names] = await Promise.all([
    related(ctx, { kind, name, owner, formatHash, limit: PAGE_RELATED }),
    namesOf(ctx, [owner, ...users.users.map((user) => user.owner)]),
  ])
  return {
    entity,
    publication,
    sisterSites: ctx.config.sisterSites,
    owner,
    ownerName: names.get(owner),
    traits,
    words,
    remixes,
    counts: counts({ kind, name }),
    users,
    userNames: names,
    related: near,
    origin: ctx.config.siteOrigin,
    nowMs: ctx.clock().getTime(),
  }
}

/** The view of a connector's page; undefined for an unknown name. */
export async function connectorView(
  ctx: Context,
  name: string,
  options?: EntityViewOptions,
): Promise<ConnectorView | undefined> {
  const view = await entityView(ctx, 'connector', name, options)
  if (view === undefined) return undefined
  const [run, graph, still] = await Promise.all([
    runForPage(ctx, name, PICTURED_PARTICLES, view.publication?.contentHash),
    dependencyGraph(ctx, name, DRAWN),
    findStill(ctx, name),
  ])
  return { ...view, run, graph, still: still && stillHref(still) }
}

const MOST = 4

/** Suggestions for a name that does not exist. */
interface MissingEntity {
  /** False for text that cannot be a name at all. */
  readonly possible: boolean
  /** A reorganisation took back what was published under the name. */
  readonly removed: boolean
  /** Similar names, those of the requested kind first. */
  readonly near: readonly EntityHit[]
}

/** @throws What the database throws when it cannot be read. */
export async function missingEntity(ctx: Context, kind: EntityKind, name: string): Promise<MissingEntity> {
  const kinds = [kind, ...ENTITY_KINDS.filter((other) => other !== kind)]
  const [result, removed] = await Promise.all([
    search(ctx, { text: name, kinds, most: MOST, descriptions: false }),
    wasRemoved(ctx, kind, name),
  ])
  const near = kinds.flatMap((each) => (result.hits.get(each) ?? []) as readonly EntityHit[])
  return { possible: isEntityName(name), removed, near }
}

async function wasRemoved(ctx: Context, kind: EntityKind, name: string): Promise<boolean> {
  if (!isEntityName(name)) return false
  const [row] = await ctx.db.sql<{ removed: boolean }[]>`
    select status = 'removed' as removed from feed_items
    where feed_id = (select chain_id from worker_state where id = 1) || ':' || ${`${kind}_added:${name}`}`
  return row?.removed ?? false
}

const PAGE_NAMES = 60

interface FormatView extends FormatPage {
  readonly formatHash: Hash
  /** Owners of the members on this page. */
  readonly owners: ReadonlyMap<string, Address>
  /** Display names of the owners. */
  readonly names: ReadonlyMap<Address, string>
  /** The page begins at the first member. */
  readonly fromStart: boolean
  readonly origin: string
}

/**
 * A format with its members; undefined for an invalid hash and a format without members.
 *
 * @param after Exclusive cursor; an invalid one is ignored.
 * @throws What the database throws when it cannot be read.
 */
export async function formatView(
  ctx: Context,
  text: string,
  after: string | undefined,
): Promise<FormatView | undefined> {
  const formatHash = parseHash(text)
  if (formatHash === undefined) return undefined
  const start = after !== undefined && isEntityName(after) ? after : ''
  const page = await getFormat(ctx, { formatHash, limit: PAGE_NAMES, after: start })
  if (page.total === 0) return undefined
  const owners = await ctx.db.sql<{ name: string; owner: Address }[]>`
    select name, owner from entities where kind = 'connector' and name = any(${[...page.keys]}::text[])`
  return {
    ...page,
    formatHash,
    owners: new Map(owners.map(({ name, owner }) => [name, owner])),
    names: await namesOf(
      ctx,
      owners.map(({ owner }) => owner),
    ),
    fromStart: start === '',
    origin: ctx.config.siteOrigin,
  }
}
