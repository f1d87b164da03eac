import { chainUnavailable } from '#lib/chain/provider.ts'
import type { Finality } from '#lib/core/feed/items.ts'
import { traced } from '#lib/platform/telemetry/tracing.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import type { Header, Heads, RegistryLog } from './chain-source.ts'
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
  storedAtOrBelow,
} from './state.ts'
import type { WriterSql } from './writer.ts'

/** Blocks at most of a range that is not final: in a reorg they are walked one by one. */
const UNFINALIZED_BATCH = 64
/** Events at most in one transaction, so that none holds its locks for long; a single block may hold more. */
const MAX_EVENTS = 500

/**
 * Advances by at most one batch of blocks, or rolls back to the common ancestor, in one transaction. Every step starts
 * from the node's current head, so a failed step is simply repeated.
 */
export async function step(ctx: FollowContext, state: FeedState): Promise<StepOutcome> {
  // Far behind, the finalized height decides how much is read at a time.
  const far = state.headBlock - state.processedBlock > UNFINALIZED_BATCH
  const heads = await ctx.source.heads(far)
  const { head } = heads
  if (state.processedHash === undefined && state.processedBlock >= 0) return storeBaseBlock(ctx, state, head)

  if (head.number < state.processedBlock) return compareBehind(ctx, state, head)
  if (head.number === state.processedBlock) {
    return head.hash === state.processedHash
      ? updateHeights(ctx, state, heads)
      : handleReorg(ctx, state, head)
  }
  return traced(
    () => ({ name: 'worker batch', root: true, attributes: { 'weft.from_block': state.processedBlock + 1 } }),
    async (span) => {
      const outcome = await advance(ctx, state, heads)
      span?.set({ 'weft.outcome': outcome.kind, 'weft.to_block': outcome.state.processedBlock })
      return outcome
    },
  )
}

/** Stores the block before the first that can hold an event, so that every later one has a parent to check. */
async function storeBaseBlock(ctx: FollowContext, state: FeedState, head: Header): Promise<StepOutcome> {
  if (head.number < state.processedBlock) return { kind: 'behind', state }
  const [header] = await ctx.source.headers([state.processedBlock])
  if (header === undefined) return { kind: 'behind', state }
  await ctx.writer.transaction((sql) => storeBlocks(sql, [header]))
  const { hash, timestampMs } = header
  return { kind: 'more', state: { ...state, processedHash: hash, processedTimestampMs: timestampMs } }
}

/** A lagging node shows a lower head too; only a different hash at a stored height is a reorg. */
async function compareBehind(ctx: FollowContext, state: FeedState, head: Header): Promise<StepOutcome> {
  const stored = await ctx.writer.transaction((sql) => storedAtOrBelow(sql, head.number))
  if (stored === undefined) return { kind: 'behind', state }
  const [here] = stored.number === head.number ? [head] : await ctx.source.headers([stored.number])
  return here === undefined || here.hash === stored.hash
    ? { kind: 'behind', state }
    : handleReorg(ctx, state, here)
}

/**
 * Indexes a range of blocks with one request for its events. Why no reorg inside the range can pass unseen is argued in
 * `docs/following.md`; the letters in the comments are those of its steps.
 */
async function advance(ctx: FollowContext, state: FeedState, heads: Heads): Promise<StepOutcome> {
  const { source } = ctx
  const { head } = heads
  const { processedBlock, processedHash } = state
  const from = processedBlock + 1
  const finalized = Math.min(heads.finalized?.number ?? -1, head.number)
  const final = finalized > processedBlock
  const most = final ? finalized - processedBlock : Math.min(head.number - processedBlock, UNFINALIZED_BATCH)
  const linked = from === head.number && head.parentHash === processedHash
  const { count, answer } = await requestUpTo(ctx.range, most, 'read events', (n) =>
    source.range(from, processedBlock + n, { linked, heads: final }),
  )
  if (answer === undefined) throw chainUnavailable(`read the events of block ${from}`)
  const to = processedBlock + count
  const { parent, before, after } = answer
  // (b) The range continues the processed block.
  if (processedHash !== undefined && !linked && parent?.hash !== processedHash) {
    return parent === undefined ? { kind: 'idle', state } : handleReorg(ctx, state, parent)
  }
  // (c) The chain ended in the same block before and after the events were read.
  if (before === undefined || after?.hash !== before.hash) return { kind: 'idle', state }
  if (linked && after.hash !== head.hash) return { kind: 'idle', state }
  if (answer.doubtful) await source.requireNone(after)
  // The node that returned the events must call them final itself: another one may be on a dead branch.
  if (final && (answer.heads?.finalized?.number ?? -1) < to) return { kind: 'idle', state }
  const upTo = batchEnd(answer.logs, to)
  const logs = answer.logs.filter(({ blockNumber }) => blockNumber <= upTo)
  if (logs.some(({ blockNumber }) => blockNumber < from)) throw chainUnavailable('read events of some blocks')
  const headers = await headersOf(ctx, logs, after)
  const last = upTo === to ? after : headers.at(-1)
  // (d) Every event is of the block that this chain has at its height.
  if (last === undefined || !areOf(headers, logs)) return { kind: 'idle', state }
  const ownHeads = final ? { head, safe: undefined, finalized: last } : headsOfChain(last.hash, heads)
  const store = final || headers.at(-1) === last ? headers : [...headers, last]
  const next = await applyBatch(ctx, state, ownHeads, { logs, headers, store: final ? [last] : store })
  if (next === undefined) return { kind: 'idle', state }
  return { kind: next.processedBlock < head.number ? 'more' : 'idle', state: next }
}

/** Reads the blocks that have events; `end` is not read again. */
async function headersOf(
  { source }: FollowContext,
  logs: readonly RegistryLog[],
  end: Header,
): Promise<Header[]> {
  const numbers = [...new Set(logs.map(({ blockNumber }) => blockNumber))]
  const others = numbers.filter((number) => number !== end.number)
  const headers = others.length === 0 ? [] : await source.headers(others)
  return numbers.length === others.length ? headers : [...headers, end]
}

function areOf(headers: readonly Header[], logs: readonly RegistryLog[]): boolean {
  const hashes = new Map(headers.map(({ number, hash }) => [number, hash]))
  return logs.every(({ blockNumber, blockHash }) => hashes.get(blockNumber) === blockHash)
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
    await storeFinalized(sql, state, heads)
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
async function updateHeights(ctx: FollowContext, state: FeedState, nodeHeads: Heads): Promise<StepOutcome> {
  const heads = headsOfChain(state.processedHash, nodeHeads)
  const next = withHeads(state, heads)
  const same =
    next.headBlock === state.headBlock &&
    next.safeBlock === state.safeBlock &&
    next.finalizedBlock === state.finalizedBlock &&
    state.frozenReason === undefined
  if (same) return { kind: 'idle', state }
  const nowMs = ctx.nowMs()
  await ctx.writer.transaction(async (sql) => {
    await storeFinalized(sql, state, heads)
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
  const finalizedBlock = Math.max(state.finalizedBlock, finalized?.number ?? -1)
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

/**
 * Stores the finalized block when finality advances: a chain that differs below it can then be told from a reorg.
 *
 * @throws Failure('chain_unavailable') when another block of this height has been followed.
 */
async function storeFinalized(sql: WriterSql, state: FeedState, { finalized }: Heads): Promise<void> {
  if (finalized === undefined || finalized.number <= state.finalizedBlock) return
  const storedBlock = await storedAtOrBelow(sql, finalized.number)
  if (storedBlock?.number === finalized.number && storedBlock.hash !== finalized.hash) {
    throw chainUnavailable('read the finalized block: the node shows another one than before')
  }
  await storeBlocks(sql, [finalized])
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
