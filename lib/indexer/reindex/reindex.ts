import postgres from 'postgres'
import { chainUnavailable } from '../../chain/provider.ts'
import type { Services } from '../../context/context.ts'
import type { Hash } from '../../protocol/entity.ts'
import { type ChainSource, chainSource } from '../chain-source.ts'
import { step } from '../follow.ts'
import { createPause } from '../pause.ts'
import { openLogRange } from '../request-size.ts'
import { type FeedState, type FollowContext, type Followed, loadState } from '../state.ts'
import type { WriterSql } from '../writer.ts'
import { compareTables, type TableComparison } from './compare.ts'
import { repairTables } from './repair.ts'
import { openScratch, type Scratch } from './scratch.ts'

export interface ReindexOptions {
  /** Correct the live tables. */
  readonly replace: boolean
  /** Called after every batch. */
  readonly onProgress?: (block: number, of: number) => void
}

export interface ReindexReport {
  readonly from: number
  readonly to: number
  readonly tables: readonly TableComparison[]
  /** Publications without matching code on chain, as `<kind>/<name>: <reason>`. */
  readonly unverified: readonly string[]
  /** Whether the live tables differed and were corrected. */
  readonly replaced: boolean
}

type ReindexServices = Pick<Services, 'config' | 'chain' | 'clock'>

/** Attempts at most: a comparison is repeated when the live tables changed meanwhile. */
const MAX_ATTEMPTS = 50
const RETRY_MS = 100

/**
 * Indexes the whole chain into scratch tables and compares them with the live tables, in one snapshot of the database
 * and at the same block. The site and the worker keep running.
 *
 * @throws Error with a text for the operator when there is nothing to compare, or the node shows another chain.
 */
export async function reindex(services: ReindexServices, options: ReindexOptions): Promise<ReindexReport> {
  const { chain, config, clock } = services
  if (chain === undefined) throw new Error('No chain is configured: there is nothing to read.')
  await chain.verify()
  const followed: Followed = {
    chainId: chain.chainId,
    registry: chain.registry,
    deploymentBlock: config.deploymentBlock ?? 0,
  }
  const nowMs = () => clock().getTime()
  const unverified = new Set<string>()
  const sql = postgres(config.databaseUrl, { max: 1, onnotice: () => {} })
  let scratch: Scratch | undefined
  try {
    let live = await readLive(sql)
    const base = chainSource(chain, config.worker)
    scratch = await openScratch(config.databaseUrl)
    const { writer } = scratch
    const ctx: FollowContext = {
      source: pinnedSource(base, () => live),
      writer,
      followed,
      nowMs,
      pause: createPause(),
      range: openLogRange(),
      onUnverified: (names) => {
        for (const name of names) unverified.add(name)
      },
    }
    let state = await writer.transaction((tx) => loadState(tx, followed, nowMs()))
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      state = await follow(ctx, state, live, options.onProgress)
      const outcome = await sql.begin(async (tx) => {
        await tx`set local search_path = public`
        if (options.replace) await lockTables(tx)
        else await tx`set transaction isolation level repeatable read`
        const now = await readLive(tx)
        if (!sameHeights(now, live) || now.hash !== state.processedHash) return now
        const tables = await compareTables(tx, live.finalized)
        const wrong = tables.some(({ differences }) => differences.length > 0)
        if (wrong && options.replace) await repairTables(tx, { finalized: live.finalized, nowMs: nowMs() })
        return { tables, replaced: wrong && options.replace }
      })
      if ('tables' in outcome) {
        const { deploymentBlock } = followed
        return { from: deploymentBlock, to: live.processed, unverified: [...unverified], ...outcome }
      }
      if (sameHeights(outcome, live)) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      live = outcome
    }
    throw new Error(
      'The node and the tables did not agree on one block for long enough: the node shows another chain than the ' +
        'one that was read, or the tables move too fast. Look at the status page, then try again.',
    )
  } finally {
    await scratch?.close()
    await sql.end({ timeout: 1 })
  }
}

interface Live extends Heights {
  readonly hash: Hash
}

function sameHeights(now: Heights, before: Heights): boolean {
  return now.processed === before.processed && now.safe === before.safe && now.finalized === before.finalized
}

async function readLive(sql: postgres.Sql | WriterSql): Promise<Live> {
  const [row] = await sql<{ processed: string; safe: string; finalized: string; hash: Hash }[]>`
    select s.processed_block as processed, s.safe_block as safe, s.finalized_block as finalized, b.hash
    from public.worker_state s join public.chain_blocks b on b.number = s.processed_block where s.id = 1`
  if (row === undefined) throw new Error('No worker has read anything into this database yet.')
  const { processed, safe, finalized, hash } = row
  return { processed: Number(processed), safe: Number(safe), finalized: Number(finalized), hash }
}

/** Indexes the chain up to the height of the live tables. */
async function follow(
  ctx: FollowContext,
  from: FeedState,
  target: Heights,
  onProgress: ReindexOptions['onProgress'],
): Promise<FeedState> {
  let state = from
  for (;;) {
    const outcome = await step(ctx, state)
    state = outcome.state
    onProgress?.(state.processedBlock, target.processed)
    if (outcome.kind === 'frozen') throw new Error(`Cannot compare: ${outcome.reason}.`)
    if (outcome.kind === 'idle' || outcome.kind === 'behind') return state
  }
}

/** Blocks the writer, not readers, until the transaction ends; locks are taken in the writer's order. */
async function lockTables(sql: WriterSql): Promise<void> {
  await sql`set local lock_timeout = '10s'`
  await sql`
    lock table public.chain_blocks, public.registry_logs, public.entities, public.entity_references, public.accounts,
      public.unverified_publications, public.formats, public.feed_items, public.feed_outbox, public.worker_state in share row exclusive mode`
}

/** Heights of the live tables. */
export interface Heights {
  readonly processed: number
  readonly safe: number
  readonly finalized: number
}

/** The same chain cut off at the height of the live tables, so that an index of it can be compared with them. */
export function pinnedSource(source: ChainSource, heights: () => Heights): ChainSource {
  return {
    ...source,
    async heads() {
      const { processed, safe, finalized } = heights()
      const [head] = await source.headers(processed, processed)
      if (head === undefined) throw chainUnavailable(`read block ${processed}, up to which the tables go`)
      return { head, safe, finalized }
    },
  }
}
