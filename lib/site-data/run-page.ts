import type { Context } from '../context.ts'
import type { CodeTraits } from '../domain/code-traits.ts'
import { Failure } from '../domain/failure.ts'
import type { RunLink } from '../domain/run-link.ts'
import type { StartLine } from '../domain/start-lines.ts'
import { type Provenance, runOnChain } from '../execution/run-on-chain.ts'
import { describeChain } from '../publication/describe-chain.ts'
import { connectorStarts } from '../registry/connector-starts.ts'
import { entityTraits } from '../registry/entity-traits.ts'
import { findEntityPublication } from '../registry/find-publication.ts'
import { PAGE_PARTICLES, type Run } from './run.ts'
import { lasts, runForPage, streamsForPage } from './run-connector.ts'

/** Positions that the page lists. */
const LISTED_POSITIONS = 200

/** What became of a run on chain, as far as a page carries it. */
export type ChainRunForPage =
  | (Extract<Run, { state: 'particles' | 'rejected' }> & { readonly provenance: Provenance })
  | { readonly state: 'unknown'; readonly provenance: Provenance }
  | { readonly state: 'block_gone' | 'state_gone' }
  | { readonly state: 'unavailable'; readonly message: string }

export type RunForPage =
  | { readonly where: 'here'; readonly run: Run }
  | { readonly where: 'chain'; readonly run: ChainRunForPage }

export interface RunView {
  readonly origin: string
  /** A draft may be revised, so its link promises nothing. */
  readonly draft: boolean
  /** What the chain is called; undefined where there is none, or none that answers. */
  readonly chainName: string | undefined
  /** Undefined while the parts of the connector are not here. */
  readonly starts: { readonly lines: readonly StartLine[]; readonly more: boolean } | undefined
  readonly result: RunForPage
  /** Undefined while the parts of the connector are not here. */
  readonly traits: CodeTraits | undefined
}

/**
 * Everything the page of a run shows, with at most a page's worth of its particles. A run that fails is part of the
 * view, not an error.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function runView(ctx: Context, link: RunLink): Promise<RunView> {
  const publication = await findEntityPublication(ctx, 'connector', link.connector)
  const [result, starts, chain, traits] = await Promise.all([
    resultOf(ctx, link, publication?.contentHash),
    connectorStarts(ctx, link.connector, LISTED_POSITIONS).catch(noFailure),
    describeChain(ctx).catch(noFailure),
    entityTraits(ctx, 'connector', link.connector),
  ])
  return {
    origin: ctx.config.siteOrigin,
    draft: publication === undefined,
    chainName: chain?.name,
    starts,
    result,
    traits,
  }
}

/** What the picture of a run shows, and whether it is the same for as long as the connector is. */
export async function runPicture(
  ctx: Context,
  link: RunLink,
): Promise<{ readonly result: RunForPage; readonly lasting: boolean }> {
  const publication = await findEntityPublication(ctx, 'connector', link.connector)
  const result = await resultOf(ctx, link, publication?.contentHash)
  return { result, lasting: result.where === 'chain' || (await lasts(ctx, link.connector)) }
}

/** A run on chain at the newest block, pinned to it; for a link that still has to be made. */
export async function runAtNewestBlock(ctx: Context, link: RunLink): Promise<ChainRunForPage> {
  const { block: _block, ...unpinned } = link
  return onChain(ctx, unpinned)
}

async function resultOf(ctx: Context, link: RunLink, contentHash: string | undefined): Promise<RunForPage> {
  if (link.block === undefined) {
    const count = Math.min(link.count, PAGE_PARTICLES)
    const run = await runForPage(ctx, link.connector, count, contentHash, link.dynamicRi)
    return { where: 'here', run }
  }
  // Not kept: what a block said stays true, but the block may fall off the chain.
  return { where: 'chain', run: await onChain(ctx, link) }
}

async function onChain(ctx: Context, link: RunLink): Promise<ChainRunForPage> {
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

/** What is not known is left out of a page; what is broken is not. */
function noFailure(error: unknown): undefined {
  if (error instanceof Failure) return undefined
  throw error
}

/** Whether anything is published or drafted under a name. */
export async function connectorExists(ctx: Context, name: string): Promise<boolean> {
  const [row] = await ctx.db.sql<{ found: boolean }[]>`
    select exists (select 1 from entities where kind = 'connector' and name = ${name})
      or exists (select 1 from drafts where kind = 'connector' and name = ${name}) as found`
  return row?.found === true
}
