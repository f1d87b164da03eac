import { chainUnavailable, NodeRefusal } from '../chain/provider.ts'
import type { Hash } from '../domain/entity.ts'
import { traced } from '../telemetry/tracing.ts'
import { batchEnd } from './batch-end.ts'
import type { FetchedHeader, Header, Heads, RegistryLog } from './chain-source.ts'
import type { FollowContext, StepOutcome } from './follow-context.ts'
import type { Finality } from './items.ts'
import { rangeTrouble } from './log-range.ts'
import { readOccurrences } from './occurrence.ts'
import { project } from './project.ts'
import { retreat } from './retreat.ts'
import { settle } from './settle.ts'
import { type FeedState, keepBlocks, keptHashes, pruneBlocks, saveState } from './state.ts'

const UNFINALIZED_BATCH = 64

/**
 * One step along the chain: at most one batch of blocks forward, or back to the common ancestor, each in one
 * transaction. Every step starts from what the node says now, so a step that fails is simply done again.
 */
export const step = async (ctx: FollowContext, state: FeedState): Promise<StepOutcome> => {
  const heads = await ctx.source.heads()
  const { head } = heads
  if (state.processedHash === undefined && state.processedBlock >= 0) return anchor(ctx, state, head)

  if (head.number < state.processedBlock) {
    // A lagging node looks like this as well; only another hash is a reorganisation.
    const stored = await storedHash(ctx, head.number)
    if (stored === undefined || stored === head.hash) return { kind: 'behind', state }
    return retreat(ctx, state, head)
  }
  if (head.number === state.processedBlock) {
    return head.hash === state.processedHash ? note(ctx, state, heads) : retreat(ctx, state, head)
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

/** Keeps the block before the first that can hold an event, so that every later one has a parent to be checked by. */
const anchor = async (ctx: FollowContext, state: FeedState, head: Header): Promise<StepOutcome> => {
  if (head.number < state.processedBlock) return { kind: 'behind', state }
  const [header] = await ctx.source.headers(state.processedBlock, state.processedBlock)
  if (header === undefined) return { kind: 'behind', state }
  await ctx.writer.transaction((sql) => keepBlocks(sql, [header]))
  const { hash, timestampMs } = header
  return { kind: 'more', state: { ...state, processedHash: hash, processedTimestampMs: timestampMs } }
}

/** A batch of final blocks: nothing in it can move, so events are asked for by range. */
const catchUp = async (ctx: FollowContext, state: FeedState, finalized: number): Promise<StepOutcome> => {
  const { source, range } = ctx
  const from = state.processedBlock + 1
  const to = Math.min(finalized, state.processedBlock + range.size)
  // Asked for in one batch, so that one node answers all of it of one moment: a node that lacks the last block would
  // not refuse its events but say that there are none, and one on another branch would give that branch's.
  const [heads, [here], [end], found] = await Promise.all([
    source.heads(),
    state.processedBlock >= 0 ? source.headers(state.processedBlock, state.processedBlock) : [undefined],
    source.headers(to, to),
    finalLogs(ctx, from, to),
  ])
  if (state.processedBlock >= 0 && here?.hash !== state.processedHash) {
    return here === undefined ? { kind: 'idle', state } : retreat(ctx, state, here)
  }
  if (found === 'refused') return { kind: 'more', state }
  if (end === undefined || (heads.finalized ?? -1) < to) return { kind: 'idle', state }
  const upTo = batchEnd(found, to)
  const logs = found.filter(({ blockNumber }) => blockNumber <= upTo)
  const headers = await Promise.all(
    [...new Set(logs.map(({ blockHash }) => blockHash))].map((hash) => source.headerByHash(hash)),
  )
  const known = headers.filter((header) => header !== undefined)
  const last = upTo === to ? end : known.find(({ number }) => number === upTo)
  if (last === undefined || known.length < headers.length) return { kind: 'idle', state }
  const told = { head: heads.head, safe: undefined, finalized: last.number }
  return { kind: 'more', state: await apply(ctx, state, told, { logs, headers: known, keep: [last] }) }
}

/** Events of a range; `refused` when a smaller one is to be asked for at once. */
const finalLogs = async (
  { source, range }: FollowContext,
  from: number,
  to: number,
): Promise<RegistryLog[] | 'refused'> => {
  const blocks = to - from + 1
  try {
    const logs = await source.logsOfRange(from, to)
    range.taken(blocks)
    return logs
  } catch (error) {
    const trouble = rangeTrouble(error)
    if (trouble !== 'other') range.refused(blocks)
    if (trouble === 'refused' && blocks > 1) return 'refused'
    throw error instanceof NodeRefusal ? chainUnavailable('read events', error) : error
  }
}

/** A batch of blocks that may still move: each is linked to its parent, and its events are asked for by its hash. */
const advance = async (ctx: FollowContext, state: FeedState, heads: Heads): Promise<StepOutcome> => {
  const { source } = ctx
  const from = state.processedBlock + 1
  const to = Math.min(heads.head.number, state.processedBlock + UNFINALIZED_BATCH)
  const fetched = from === heads.head.number ? [heads.head] : await source.headers(from, to)
  const [first] = fetched
  if (first === undefined) return { kind: 'idle', state }
  if (state.processedHash !== undefined && first.parentHash !== state.processedHash) {
    const [here] = await source.headers(state.processedBlock, state.processedBlock)
    // When the blocks do not even agree among themselves the node is changing its mind: ask again.
    return here === undefined || here.hash === state.processedHash
      ? { kind: 'idle', state }
      : retreat(ctx, state, here)
  }
  const whole = linked(fetched)
  const withLogs = whole.filter(({ mayHaveLogs }) => mayHaveLogs)
  const found = await source.logsOfBlocks(withLogs.map(({ hash }) => hash))
  const upTo = batchEnd(found, (whole.at(-1) as FetchedHeader).number)
  const headers = whole.filter(({ number }) => number <= upTo)
  const logs = found.filter(({ blockNumber }) => blockNumber <= upTo)
  const last = headers.at(-1) as FetchedHeader
  const told = ofChain(last.hash, heads)
  const next = await apply(ctx, state, told, { logs, headers, keep: headers })
  return { kind: next.processedBlock < heads.head.number ? 'more' : 'idle', state: next }
}

/** The longest start of a list in which each block is the parent of the next. */
const linked = (headers: readonly FetchedHeader[]): readonly FetchedHeader[] => {
  const end = headers.findIndex((header, i) => i > 0 && header.parentHash !== headers[i - 1]?.hash)
  return end === -1 ? headers : headers.slice(0, end)
}

const apply = async (
  ctx: FollowContext,
  state: FeedState,
  heads: Heads,
  batch: { logs: readonly RegistryLog[]; headers: readonly Header[]; keep: readonly Header[] },
): Promise<FeedState> => {
  const last = batch.keep.at(-1) as Header
  const processed = {
    processedBlock: last.number,
    processedHash: last.hash,
    processedTimestampMs: last.timestampMs,
  }
  const next = settled({ ...state, ...processed }, heads)
  const finality: Finality = { safe: next.safeBlock, finalized: next.finalizedBlock }
  const occurrences = await readOccurrences(ctx.source, batch.logs)
  const times = new Map(batch.headers.map(({ hash, timestampMs }) => [hash, timestampMs]))
  const nowMs = ctx.nowMs()
  const unverified = await ctx.writer.transaction(async (sql) => {
    await keepBlocks(sql, batch.keep)
    const names = await project(sql, {
      chainId: ctx.followed.chainId,
      occurrences,
      timeOf: (hash) => times.get(hash) ?? nowMs,
      finality,
      nowMs,
    })
    await settle(sql, finality, nowMs)
    await pruneBlocks(sql, finality.finalized)
    await saveState(sql, next, nowMs)
    return names
  })
  if (unverified.length > 0) ctx.onUnverified(unverified)
  if (occurrences.length > 0) ctx.onPublished?.(occurrences)
  return next
}

/** No new block: only the heights may have moved. */
const note = async (ctx: FollowContext, state: FeedState, heads: Heads): Promise<StepOutcome> => {
  const next = settled(state, ofChain(state.processedHash, heads))
  const same =
    next.headBlock === state.headBlock &&
    next.safeBlock === state.safeBlock &&
    next.finalizedBlock === state.finalizedBlock &&
    state.frozenReason === undefined
  if (same) return { kind: 'idle', state }
  const nowMs = ctx.nowMs()
  await ctx.writer.transaction(async (sql) => {
    await settle(sql, { safe: next.safeBlock, finalized: next.finalizedBlock }, nowMs)
    await pruneBlocks(sql, next.finalizedBlock)
    await saveState(sql, next, nowMs)
  })
  return { kind: 'idle', state: next }
}

/**
 * What the node says is final, it says of the chain that ends in its head. Only when that is the very chain that was
 * read does it hold for what was read: the next answer may come from a node on another branch.
 */
const ofChain = (processed: Hash | undefined, heads: Heads): Heads =>
  processed === heads.head.hash ? heads : { head: heads.head, safe: undefined, finalized: undefined }

/** Finality only grows, and a height the node did not tell stays what it was. */
const settled = (state: FeedState, { head, safe, finalized }: Heads): FeedState => {
  const finalizedBlock = Math.max(state.finalizedBlock, finalized ?? -1)
  return {
    ...state,
    headBlock: head.number,
    headTimestampMs: head.timestampMs,
    // Only reached after the node has shown the processed block, or a child of it.
    frozenReason: undefined,
    finalizedBlock,
    safeBlock: Math.max(state.safeBlock, safe ?? -1, finalizedBlock),
  }
}

const storedHash = async (ctx: FollowContext, number: number): Promise<Hash | undefined> => {
  const kept = await ctx.writer.transaction((sql) => keptHashes(sql, number))
  return kept.get(number)
}
