import type { Address, Hash } from '#lib/protocol/entity.ts'
import type { ChainSource, Header } from './chain-source.ts'
import type { Occurrence } from './occurrence.ts'
import type { Pause } from './pause.ts'
import type { RequestSize } from './request-size.ts'
import type { Writer, WriterSql } from './writer.ts'

/** Progress of the indexer: the row of `worker_state` and the newest stored block. */
export interface FeedState {
  readonly processedBlock: number
  /** Undefined until the first block is processed. */
  readonly processedHash: Hash | undefined
  /** Unix milliseconds of the processed block and of the head. */
  readonly processedTimestampMs: number | undefined
  readonly headBlock: number
  readonly headTimestampMs: number | undefined
  readonly safeBlock: number
  readonly finalizedBlock: number
  /** Why indexing is frozen; undefined while the node agrees with what is final. */
  readonly frozenReason: string | undefined
}

/** The registry that is indexed. A database belongs to one registry of one chain for ever. */
export interface Followed {
  readonly chainId: number
  readonly registry: Address
  /** First block that can hold an event. */
  readonly deploymentBlock: number
}

/** The database was filled from another registry than the configured one. */
export class WrongRegistry extends Error {
  override readonly name = 'WrongRegistry'
}

/** @throws WrongRegistry */
export async function loadState(sql: WriterSql, followed: Followed, nowMs: number): Promise<FeedState> {
  const { chainId, registry, deploymentBlock } = followed
  await sql`
    insert into worker_state
      (id, chain_id, registry, processed_block, head_block, safe_block, finalized_block, last_stream_seq, updated_at_ms)
    values (1, ${chainId}, ${registry}, ${deploymentBlock - 1}, -1, -1, -1, 0, ${nowMs})
    on conflict do nothing`
  const [row] = await sql<
    {
      chain_id: string
      registry: string
      processed_block: string
      head_block: string
      safe_block: string
      finalized_block: string
      head_timestamp_ms: string | null
      frozen_reason: string | null
      hash: Hash | null
      timestamp_ms: string | null
    }[]
  >`
    select s.*, b.hash, b.timestamp_ms from worker_state s left join chain_blocks b on b.number = s.processed_block where s.id = 1`
  if (row === undefined) throw new Error('worker_state is empty')
  if (Number(row.chain_id) !== chainId || row.registry !== registry) {
    throw new WrongRegistry(
      `The database follows registry ${row.registry} on chain ${row.chain_id}, but the configuration names ` +
        `${registry} on chain ${chainId}: use another database, or change REGISTRY_ADDRESS and CHAIN_ID back`,
    )
  }
  return {
    processedBlock: Number(row.processed_block),
    processedHash: row.hash ?? undefined,
    processedTimestampMs: numberOr(row.timestamp_ms),
    headBlock: Number(row.head_block),
    headTimestampMs: numberOr(row.head_timestamp_ms),
    safeBlock: Number(row.safe_block),
    finalizedBlock: Number(row.finalized_block),
    frozenReason: row.frozen_reason ?? undefined,
  }
}

function numberOr(value: string | null): number | undefined {
  return value === null ? undefined : Number(value)
}

export async function saveState(sql: WriterSql, state: FeedState, nowMs: number): Promise<void> {
  await sql`
    update worker_state set
      processed_block = ${state.processedBlock}, head_block = ${state.headBlock}, safe_block = ${state.safeBlock},
      finalized_block = ${state.finalizedBlock}, updated_at_ms = ${nowMs},
      processed_timestamp_ms = ${state.processedTimestampMs ?? null},
      head_timestamp_ms = ${state.headTimestampMs ?? null},
      frozen_reason = ${state.frozenReason ?? null},
      frozen_since_ms = case
        when ${state.frozenReason === undefined} then null
        else coalesce(frozen_since_ms, ${nowMs})
      end
    where id = 1`
}

/** Counts a reorg for the status page, in the transaction that rolls it back. */
export async function countReorg(sql: WriterSql, depth: number, nowMs: number): Promise<void> {
  await sql`
    update worker_state set
      reorg_count = reorg_count + 1, reorg_deepest = greatest(reorg_deepest, ${depth}),
      reorg_last_depth = ${depth}, reorg_last_at_ms = ${nowMs}
    where id = 1`
}

/** Hashes of the stored blocks from a height on. */
export async function storedHashes(sql: WriterSql, from: number): Promise<ReadonlyMap<number, Hash>> {
  const rows = await sql<{ number: string; hash: Hash }[]>`
    select number, hash from chain_blocks where number >= ${from}`
  return new Map(rows.map(({ number, hash }) => [Number(number), hash]))
}

/** Returns the newest stored block at or below a height. */
export async function storedAtOrBelow(
  sql: WriterSql,
  height: number,
): Promise<{ readonly number: number; readonly hash: Hash } | undefined> {
  const [row] = await sql<{ number: string; hash: Hash }[]>`
    select number, hash from chain_blocks where number <= ${height} order by number desc limit 1`
  return row && { number: Number(row.number), hash: row.hash }
}

export async function storeBlocks(sql: WriterSql, headers: readonly Header[]): Promise<void> {
  if (headers.length === 0) return
  const rows = headers.map(({ number, hash, parentHash, timestampMs }) => ({
    number,
    hash,
    parent_hash: parentHash,
    timestamp_ms: timestampMs,
  }))
  await sql`insert into chain_blocks ${sql(rows)}
    on conflict (number) do update set
      hash = excluded.hash, parent_hash = excluded.parent_hash, timestamp_ms = excluded.timestamp_ms`
}

/** Deletes blocks that can no longer be reorged; the newest final block stays as the parent of the rest. */
export async function pruneBlocks(sql: WriterSql, finalized: number): Promise<void> {
  await sql`
    delete from chain_blocks
    where number < (select max(number) from chain_blocks where number <= ${finalized})`
}

/** Dependencies of `step`. */
export interface FollowContext {
  readonly source: ChainSource
  readonly writer: Pick<Writer, 'transaction'>
  readonly followed: Followed
  readonly nowMs: () => number
  /** Called between the parts of long work, to yield to the event loop. */
  readonly pause: Pause
  /** Called with publications that have no matching code on chain, as `<kind>/<name>: <reason>`. */
  readonly onUnverified: (names: readonly string[]) => void
  /** Called with publications after their transaction committed. */
  readonly onPublished?: (occurrences: readonly Occurrence[]) => void
  /** Blocks of one `eth_getLogs` request. */
  readonly range: RequestSize
}

/** Result of one step; after `more` and `rolled back` the next step is due at once. */
export type StepOutcome =
  | { readonly kind: 'more' | 'idle' | 'behind'; readonly state: FeedState }
  | { readonly kind: 'rolled back'; readonly state: FeedState; readonly depth: number }
  | { readonly kind: 'frozen'; readonly state: FeedState; readonly reason: string }
