import { chainUnavailable } from '../chain/provider.ts'
import type { Finality } from '../feed/items.ts'
import { traced } from '../platform/telemetry/tracing.ts'
import type { Hash } from '../protocol/entity.ts'
import type { ChainSource, FetchedHeader, Header, Heads, RegistryLog } from './chain-source.ts'
import { readOccurrences } from './occurrence.ts'
import { appendDeltas, type Delta } from './outbox.ts'
import { project } from './project.ts'
import { requestUpTo } from './request-size.ts'
import { handleReorg } from './rollback.ts'
import {
  type FeedState,
  type FollowContext,
  pruneBlocks,
  type StepOutcome,
  saveState,
  storeBlocks,
  storedHashes,
} from './state.ts'
import type { WriterSql } from './writer.ts'

const UNFINALIZED_BATCH = 64
/** Events at most in one transaction, so that none holds its locks for long; a single block may hold more. */
const MAX_EVENTS = 500

/**
 * Advances by at most one batch of blocks, or rolls back to the common ancestor, in one transaction. Every step starts
 * from the node's current head, so a failed step is simply repeated.
 */
export async function step(ctx: FollowContext, state: FeedState): Promise<StepOutcome> {
  const heads = await ctx.source.heads()
  const { head } = heads
  if (state.processedHash === undefined && state.processedBlock >= 0) return storeBaseBlock(ctx, state, head)

  if (head.number < state.processedBlock) {
    // A lagging node has the same symptom; only a different hash is a reorg.
    const stored = await storedHash(ctx, head.number)
    if (stored === undefined || stored === head.hash) return { kind: 'behind', state }
    return handleReorg(ctx, state, head)
  }
  if (head.number === state.processedBlock) {
    return head.hash === state.processedHash
      ? updateHeights(ctx, state, heads)
      : handleReorg(ctx, state, head)
  }
  const finalized = Math.min(heads.finalized ?? -1, head.number)
  return traced(
    () => ({ name: 'worker batch', root: true, attributes: { 'weft.from_block': state.processedBlock + 1 } }),
    async (span) => {
      const outcome = await (finalized > state.processedBlock
        ? catchUp(ctx, state, finalized)
        : advance(ctx, state, heads))
      span?.set({ 'weft.outcome': outcome.kind, 'weft.to_block': outcome.state.processedBlock })
      return outcome
    },
  )
}

/** Stores the block before the first that can hold an event, so that every later one has a parent to check. */
async function storeBaseBlock(ctx: FollowContext, state: FeedState, head: Header): Promise<StepOutcome> {
  if (head.number < state.processedBlock) return { kind: 'behind', state }
  const [header] = await ctx.source.headers(state.processedBlock, state.processedBlock)
  if (header === undefined) return { kind: 'behind', state }
  await ctx.writer.transaction((sql) => storeBlocks(sql, [header]))
  const { hash, timestampMs } = header
  return { kind: 'more', state: { ...state, processedHash: hash, processedTimestampMs: timestampMs } }
}

/** Indexes a batch of final blocks, with events requested by range. */
async function catchUp(ctx: FollowContext, state: FeedState, finalized: number): Promise<StepOutcome> {
  const { source, range } = ctx
  const from = state.processedBlock + 1
  // One JSON-RPC batch, so that one node answers all of it: a node that lacks the last block returns no events instead
  // of an error, and one on another branch returns the events of that branch.
  const { count, answer } = await requestUpTo(range, finalized - state.processedBlock, 'read events', (n) =>
    Promise.all([
      source.heads(),
      state.processedBlock >= 0 ? source.headers(state.processedBlock, state.processedBlock) : [undefined],
      source.headers(from + n - 1, from + n - 1),
      source.logsOfRange(from, from + n - 1),
    ]),
  )
  if (answer === undefined) throw chainUnavailable(`read the events of block ${from}`)
  const [heads, [here], [end], found] = answer
  const to = state.processedBlock + count
  if (state.processedBlock >= 0 && here?.hash !== state.processedHash) {
    return here === undefined ? { kind: 'idle', state } : handleReorg(ctx, state, here)
  }
  if (end === undefined || (heads.finalized ?? -1) < to) return { kind: 'idle', state }
  const upTo = batchEnd(found, to)
  const logs = found.filter(({ blockNumber }) => blockNumber <= upTo)
  const hashes = [...new Set(logs.map(({ blockHash }) => blockHash))]
  const headers = await source.headersByHash(hashes)
  const last = upTo === to ? end : headers.at(-1)
  if (last === undefined || headers.length < hashes.length) return { kind: 'idle', state }
  const ownHeads = { head: heads.head, safe: undefined, finalized: last.number }
  const next = await applyBatch(ctx, state, ownHeads, { logs, headers, store: [last] })
  return next ? { kind: 'more', state: next } : { kind: 'idle', state }
}

/**
 * Last block of a batch: `to`, or an earlier block with events when there are too many for one transaction.
 *
 * @param logs In chain order.
 */
function batchEnd(logs: readonly RegistryLog[], to: number): number {
  const tooMuch = logs[MAX_EVENTS]
  if (tooMuch === undefined) return to
  const last = logs.findLast(({ blockNumber }) => blockNumber < tooMuch.blockNumber)
  return (last ?? tooMuch).blockNumber
}

/** Indexes a batch of blocks that can still be reorged: each must link to its parent, events are requested by block hash. */
async function advance(ctx: FollowContext, state: FeedState, heads: Heads): Promise<StepOutcome> {
  const { source } = ctx
  const from = state.processedBlock + 1
  const to = Math.min(heads.head.number, state.processedBlock + UNFINALIZED_BATCH)
  const fetched = from === heads.head.number ? [heads.head] : await source.headers(from, to)
  const [first] = fetched
  if (first === undefined) return { kind: 'idle', state }
  if (state.processedHash !== undefined && first.parentHash !== state.processedHash) {
    const [here] = await source.headers(state.processedBlock, state.processedBlock)
    // Blocks that contradict each other: the node is switching branches, so the next step starts over.
    return here === undefined || here.hash === state.processedHash
      ? { kind: 'idle', state }
      : handleReorg(ctx, state, here)
  }
  const whole = linked(fetched)
  const { logs: found, to: read } = await logsUntilFull(source, whole)
  const upTo = batchEnd(found, read)
  const headers = whole.filter(({ number }) => number <= upTo)
  const logs = found.filter(({ blockNumber }) => blockNumber <= upTo)
  const last = headers.at(-1) as FetchedHeader
  const ownHeads = headsOfChain(last.hash, heads)
  const next = await applyBatch(ctx, state, ownHeads, { logs, headers, store: headers })
  if (next === undefined) return { kind: 'idle', state }
  return { kind: next.processedBlock < heads.head.number ? 'more' : 'idle', state: next }
}

/** Events of blocks until there are enough for one transaction, and the last block they cover. */
async function logsUntilFull(
  source: ChainSource,
  headers: readonly FetchedHeader[],
): Promise<{ logs: RegistryLog[]; to: number }> {
  const withLogs = headers.filter(({ mayHaveLogs }) => mayHaveLogs)
  const logs: RegistryLog[] = []
  let blocks = 0
  for await (const { count, logs: some } of source.logsOfBlocks(withLogs.map(({ hash }) => hash))) {
    logs.push(...some)
    blocks += count
    const next = withLogs[blocks]
    if (logs.length > MAX_EVENTS && next) return { logs, to: next.number - 1 }
  }
  return { logs, to: (headers.at(-1) as FetchedHeader).number }
}

/** The longest start of a list in which each block is the parent of the next. */
function linked(headers: readonly FetchedHeader[]): readonly FetchedHeader[] {
  const end = headers.findIndex((header, i) => i > 0 && header.parentHash !== headers[i - 1]?.hash)
  return end === -1 ? headers : headers.slice(0, end)
}

/** Verifies and projects a batch. @returns undefined when the node's chain changed meanwhile. */
async function applyBatch(
  ctx: FollowContext,
  state: FeedState,
  heads: Heads,
  batch: { logs: readonly RegistryLog[]; headers: readonly Header[]; store: readonly Header[] },
): Promise<FeedState | undefined> {
  const last = batch.store.at(-1) as Header
  const processed = {
    processedBlock: last.number,
    processedHash: last.hash,
    processedTimestampMs: last.timestampMs,
  }
  const next = withHeads({ ...state, ...processed }, heads)
  const finality: Finality = { safe: next.safeBlock, finalized: next.finalizedBlock }
  const occurrences = await readOccurrences(ctx, batch.logs, last)
  if (occurrences === undefined) return undefined
  const times = new Map(batch.headers.map(({ hash, timestampMs }) => [hash, timestampMs]))
  const nowMs = ctx.nowMs()
  await ctx.writer.transaction(async (sql) => {
    await storeBlocks(sql, batch.store)
    await project(sql, {
      chainId: ctx.followed.chainId,
      occurrences,
      timeOf: (hash) => times.get(hash) ?? nowMs,
      finality,
      nowMs,
    })
    await advanceFinality(sql, finality, nowMs)
    await pruneBlocks(sql, finality.finalized)
    await saveState(sql, next, nowMs)
  })
  const unverified = occurrences.flatMap(({ event: { kind, name }, outcome }) =>
    outcome.verified ? [] : [`${kind}/${name}: ${outcome.reason}`],
  )
  if (unverified.length > 0) ctx.onUnverified(unverified)
  if (occurrences.length > 0) ctx.onPublished?.(occurrences)
  return next
}

/** Without a new block only the heights can have changed. */
async function updateHeights(ctx: FollowContext, state: FeedState, heads: Heads): Promise<StepOutcome> {
  const next = withHeads(state, headsOfChain(state.processedHash, heads))
  const same =
    next.headBlock === state.headBlock &&
    next.safeBlock === state.safeBlock &&
    next.finalizedBlock === state.finalizedBlock &&
    state.frozenReason === undefined
  if (same) return { kind: 'idle', state }
  const nowMs = ctx.nowMs()
  await ctx.writer.transaction(async (sql) => {
    await advanceFinality(sql, { safe: next.safeBlock, finalized: next.finalizedBlock }, nowMs)
    await pruneBlocks(sql, next.finalizedBlock)
    await saveState(sql, next, nowMs)
  })
  return { kind: 'idle', state: next }
}

/**
 * Drops the finality tags unless the head is the processed block: they hold for the chain that ends in this head, and
 * the blocks may have come from a node on another branch.
 */
function headsOfChain(processed: Hash | undefined, heads: Heads): Heads {
  return processed === heads.head.hash ? heads : { head: heads.head, safe: undefined, finalized: undefined }
}

/** Finality never decreases; a height that the node did not return stays as it was. */
function withHeads(state: FeedState, { head, safe, finalized }: Heads): FeedState {
  const finalizedBlock = Math.max(state.finalizedBlock, finalized ?? -1)
  return {
    ...state,
    headBlock: head.number,
    headTimestampMs: head.timestampMs,
    // Only reached after the node returned the processed block, or a child of it.
    frozenReason: undefined,
    finalizedBlock,
    safeBlock: Math.max(state.safeBlock, safe ?? -1, finalizedBlock),
  }
}

async function storedHash(ctx: FollowContext, number: number): Promise<Hash | undefined> {
  const hashes = await ctx.writer.transaction((sql) => storedHashes(sql, number))
  return hashes.get(number)
}

/** Moves items from observed to safe to finalized up to the given heights, with one delta for each change. */
export async function advanceFinality(
  sql: WriterSql,
  { safe, finalized }: Finality,
  nowMs: number,
): Promise<void> {
  const moved = await sql<Delta[]>`
    update feed_items
    set status = case when block_number <= ${finalized} then 'finalized' else 'safe' end, updated_at_ms = ${nowMs}
    where (status in ('observed', 'safe') and block_number <= ${finalized})
       or (status = 'observed' and block_number <= ${safe})
    returning feed_id, event_type, status, history_cursor, kind, name, owner, format_hash`
  const ascending = moved.toSorted((a, b) => (a.history_cursor < b.history_cursor ? -1 : 1))
  await appendDeltas(sql, ascending, nowMs)
}
