import postgres from 'postgres'
import { chainUnavailable } from '#lib/chain/provider.ts'
import type { Services } from '#lib/core/context/context.ts'
import { readDatabaseUrl } from '#lib/platform/db/connect.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { type ChainSource, chainSource, finalityDepths } from '../chain-source.ts'
import { step } from '../follow.ts'
import { appendDeltas, type Delta } from '../outbox.ts'
import { createPause } from '../pause.ts'
import { openLogRange } from '../request-size.ts'
import { type FeedState, type FollowContext, type Followed, loadState } from '../state.ts'
import type { WriterSql } from '../writer.ts'
import {
  COMPARED_TABLES,
  type ComparedTable,
  compareTables,
  newestDeltas,
  type TableComparison,
} from './compare.ts'
import { openScratch, SCRATCH, type Scratch } from './scratch.ts'

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
  if (readDatabaseUrl(config.databaseUrl).pooled) {
    throw new Error('A reindex needs a session: set DATABASE_URL to the server itself, not to its pooler.')
  }
  await chain.verify()
  const followed: Followed = {
    chainId: chain.chainId,
    registry: chain.registry,
    deploymentBlock: config.deploymentBlock ?? 0,
  }
  const nowMs = () => clock().getTime()
  const unverified = new Set<string>()
  const schema = 'public'
  const sql = postgres(config.databaseUrl, { max: 1, onnotice: () => {} })
  let scratch: Scratch | undefined
  try {
    let live = await readLive(sql)
    const base = chainSource(chain, finalityDepths(chain.chainId, config.worker))
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
        await tx.unsafe(`set local search_path = ${schema}`)
        if (options.replace) await lockTables(tx)
        else await tx`set transaction isolation level repeatable read`
        const now = await readLive(tx)
        if (!sameHeights(now, live) || now.hash !== state.processedHash) return now
        const tables = await compareTables(tx, schema, live.finalized)
        const wrong = tables.some(({ differences }) => differences.length > 0)
        if (wrong && options.replace)
          await repairTables(tx, { schema, finalized: live.finalized, nowMs: nowMs() })
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
    from worker_state s join chain_blocks b on b.number = s.processed_block where s.id = 1`
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
    lock table chain_blocks, registry_logs, entities, entity_references,
      entity_origins, source_checks, accounts, unverified_publications, formats, feed_items, feed_outbox, worker_state in share row exclusive mode`
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
      const { processed, safe, finalized: final } = heights()
      const [head, finalized] = await source.headers(final < 0 ? [processed] : [processed, final])
      if (head === undefined) throw chainUnavailable(`read block ${processed}, up to which the tables go`)
      return { head, safe, finalized }
    },
  }
}

/**
 * Corrects the live tables row by row; correct rows are not touched. Changed items are appended to the outbox. The
 * caller's transaction locks out the writer.
 */
async function repairTables(
  sql: WriterSql,
  {
    schema,
    finalized,
    nowMs,
  }: { readonly schema: string; readonly finalized: number; readonly nowMs: number },
): Promise<void> {
  for (const table of COMPARED_TABLES) {
    if (table.table === 'artifacts') await repairArtifacts(sql)
    else if (table.table === 'feed_items') await repairItems(sql, table, nowMs)
    else await repairTable(sql, table, schema, finalized)
  }
}

/** Never deletes, because drafts have artifacts too. Runs first, because entities reference artifacts. */
async function repairArtifacts(sql: WriterSql): Promise<void> {
  await sql.unsafe(`
    insert into leaf_names (key, name) select key, name from ${SCRATCH}.leaf_names
    on conflict (key) do update set name = excluded.name`)
  await sql.unsafe(`
    insert into artifacts as live (content_hash, kind, name, body, leaves)
    select content_hash, kind, name, body, leaves from ${SCRATCH}.artifacts
    on conflict (content_hash) do update
      set kind = excluded.kind, name = excluded.name, body = excluded.body, leaves = excluded.leaves
    where (live.kind, live.name, live.body, live.leaves)
      is distinct from (excluded.kind, excluded.name, excluded.body, excluded.leaves)`)
}

async function repairTable(
  sql: WriterSql,
  { table, key, columns, where }: ComparedTable,
  live: string,
  finalized: number,
): Promise<void> {
  const rows = (schema: string) =>
    `select ${columns} from ${schema}.${table} where ${where(schema, finalized)}`
  await sql.unsafe(`
    delete from ${table} where (${key.join(', ')}) in (
      select ${key.join(', ')} from (${rows(live)} except ${rows(SCRATCH)}) wrong)`)
  await sql.unsafe(`
    insert into ${table} (${columns}) ${rows(SCRATCH)} on conflict do nothing`)
}

async function repairItems(sql: WriterSql, { columns }: ComparedTable, nowMs: number): Promise<void> {
  const removed = await sql.unsafe<{ feed_id: string }[]>(`
    update feed_items set status = 'removed', visible = false, updated_at_ms = ${nowMs}
    where visible and feed_id not in (select feed_id from ${SCRATCH}.feed_items)
    returning feed_id`)
  const wrong = await sql.unsafe<{ feed_id: string }[]>(`
    select feed_id from (
      select ${columns} from ${SCRATCH}.feed_items except select ${columns} from feed_items
    ) right_ones`)
  const ids = wrong.map(({ feed_id }) => feed_id)
  await sql`delete from feed_items where feed_id = any(${ids})`
  await sql.unsafe(`
    insert into feed_items (${columns}, updated_at_ms)
    select ${columns}, ${nowMs} from ${SCRATCH}.feed_items on conflict (feed_id) do nothing`)
  await announceChanges(sql, [...ids, ...removed.map(({ feed_id }) => feed_id)], nowMs)
}

/** Appends a delta for each of `items`, and for each item whose newest delta differs from it. */
async function announceChanges(sql: WriterSql, ids: readonly string[], nowMs: number): Promise<void> {
  const deltas = await sql<Delta[]>`
    select feed_id, event_type, i.status, i.history_cursor, kind, name, owner, i.format_hash
    from feed_items i left join (${newestDeltas(sql)}) newest using (feed_id)
    where feed_id = any(${[...ids]})
      or (newest.status, newest.history_cursor) <> (i.status, i.history_cursor)
    order by i.history_cursor`
  await appendDeltas(sql, deltas, nowMs)
}
