import type { Context } from '#lib/core/context/context.ts'
import { describeChain } from '#lib/core/context/describe-chain.ts'
import { type AuthorWords, findAuthorWords } from '#lib/core/entities/author-words.ts'
import { connectorStarts } from '#lib/core/entities/connector-facts.ts'
import { entityTraits } from '#lib/core/entities/entity-traits.ts'
import { runOnChain } from '#lib/core/entities/execution/run-on-chain.ts'
import { findEntityPublication } from '#lib/core/entities/find-publication.ts'
import { namesOf } from '#lib/core/people/users.ts'
import type { CodeTraits } from '#lib/protocol/code-traits.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import type { RunLink } from '#lib/protocol/run-link.ts'
import type { StartLine } from '#lib/protocol/running-instance.ts'
import { undefinedOnFailure } from './expected-failures.ts'
import { type ChainRunState, PAGE_PARTICLES, type Run } from './run.ts'
import { runForPage, streamsForPage } from './run-connector.ts'

/** Positions that the page lists. */
const LISTED_POSITIONS = 200

export type RunForPage =
  | { readonly where: 'here'; readonly run: Run }
  | { readonly where: 'chain'; readonly run: ChainRunState }

export interface RunView {
  readonly origin: string
  /** A draft may be revised: its run may change. */
  readonly draft: boolean
  /** Undefined for a draft. */
  readonly author: { readonly address: Address; readonly name: string | undefined } | undefined
  /** Undefined without a reachable chain. */
  readonly chainName: string | undefined
  /** Undefined while dependencies are missing. */
  readonly starts: { readonly lines: readonly StartLine[]; readonly more: boolean } | undefined
  readonly result: RunForPage
  /** Undefined while dependencies are missing. */
  readonly traits: CodeTraits | undefined
  /** Undefined where the author published none. */
  readonly words: AuthorWords | undefined
}

/**
 * The view of a run's page, with at most `PAGE_PARTICLES` particles. A failed run is part of it, not an error.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function runView(ctx: Context, link: RunLink): Promise<RunView> {
  const publication = await findEntityPublication(ctx, 'connector', link.connector)
  const owner = publication?.owner
  const [names, result, starts, chain, traits, words] = await Promise.all([
    namesOf(ctx, owner === undefined ? [] : [owner]),
    resultOf(ctx, link, publication?.contentHash),
    connectorStarts(ctx, link.connector, LISTED_POSITIONS).catch(undefinedOnFailure),
    describeChain(ctx).catch(undefinedOnFailure),
    entityTraits(ctx, 'connector', link.connector),
    findAuthorWords(ctx, 'connector', link.connector),
  ])
  return {
    origin: ctx.config.siteOrigin,
    draft: publication === undefined,
    author: owner && { address: owner, name: names.get(owner) },
    chainName: chain?.name,
    starts,
    result,
    traits,
    words,
  }
}

/** Longer runs are not played in a page. */
const MAX_PLAYED = 4096

/** Whether a browser that computes the connector again plays the numbers of this run. */
export function isPlayable(link: RunLink, { draft, result, traits }: RunView): boolean {
  const { run } = result
  return !draft && run.state === 'particles' && traits?.dependsOn === 'input' && link.count <= MAX_PLAYED
}

/** The result of a run alone, as its page shows it. */
export async function runResult(ctx: Context, link: RunLink): Promise<RunForPage> {
  const publication = await findEntityPublication(ctx, 'connector', link.connector)
  return resultOf(ctx, link, publication?.contentHash)
}

/** A run on chain at the newest block, pinned to it. */
export async function runAtNewestBlock(ctx: Context, link: RunLink): Promise<ChainRunState> {
  const { block: _block, ...unpinned } = link
  return onChain(ctx, unpinned)
}

async function resultOf(ctx: Context, link: RunLink, contentHash: string | undefined): Promise<RunForPage> {
  if (link.block === undefined) {
    const count = Math.min(link.count, PAGE_PARTICLES)
    const run = await runForPage(ctx, link.connector, count, contentHash, link.dynamicRi)
    return { where: 'here', run }
  }
  // Not cached: the block may be reorganised.
  return { where: 'chain', run: await onChain(ctx, link) }
}

async function onChain(ctx: Context, link: RunLink): Promise<ChainRunState> {
  try {
    const run = await runOnChain(ctx, {
      connectorName: link.connector,
      particlesCount: Math.min(link.count, PAGE_PARTICLES),
      dynamicRi: link.dynamicRi,
      at: link.block?.hash,
    })
    switch (run.outcome) {
      case 'block_gone':
      case 'state_gone':
        return { state: run.outcome }
      case 'unknown':
        return { state: 'unknown', provenance: run.provenance }
      case 'rejected':
        return { state: 'rejected', message: run.message, provenance: run.provenance }
      case 'particles':
        return {
          state: 'particles',
          paths: run.particles.length,
          streams: streamsForPage(run.particles),
          provenance: run.provenance,
        }
    }
  } catch (error) {
    if (error instanceof Failure) return { state: 'unavailable', message: `${error.message}.` }
    if (ctx.signal.aborted) return { state: 'unavailable', message: 'The chain did not answer in time.' }
    throw error
  }
}
