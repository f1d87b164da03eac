import { chainUnavailable } from '../chain/provider.ts'
import type { Hash } from '../domain/entity.ts'
import { traced } from '../telemetry/tracing.ts'
import type { ChainSource, FetchedHeader, Header, Heads, RegistryLog } from './chain-source.ts'
import type { FollowContext, StepOutcome } from './follow-context.ts'
import type { Finality } from './items.ts'
import { readOccurrences } from './occurrence.ts'
import { project } from './project.ts'
import { requestUpTo } from './request-size.ts'
import { retreat } from './retreat.ts'
import { settle } from './settle.ts'
import { type FeedState, keepBlocks, keptHashes, pruneBlocks, saveState } from './state.ts'

const UNFINALIZED_BATCH = 64
/** Events at most in one transaction, so that none holds its locks for long; a single block may hold more. */
const MAX_EVENTS = 500

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
  // Asked for in one batch, so that one node answers all of it of one moment: a node that lacks the last block would
  // not refuse its events but say that there are none, and one on another branch would give that branch's.
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
    return here === undefined ? { kind: 'idle', state } : retreat(ctx, state, here)
  }
  if (end === undefined || (heads.finalized ?? -1) < to) return { kind: 'idle', state }
  const upTo = batchEnd(found, to)
  const logs = found.filter(({ blockNumber }) => blockNumber <= upTo)
  const hashes = [...new Set(logs.map(({ blockHash }) => blockHash))]
  const headers = await source.headersByHash(hashes)
  const last = upTo === to ? end : headers.at(-1)
  if (last === undefined || headers.length < hashes.length) return { kind: 'idle', state }
  const told = { head: heads.head, safe: undefined, finalized: last.number }
  const next = await apply(ctx, state, told, { logs, headers, keep: [last] })
  return next ? { kind: 'more', state: next } : { kind: 'idle', state }
}

/**
 * The block up to which a batch goes: `to`, or a block with events when they are too many for one transaction.
 *
 * @param logs In chain order.
 */
const batchEnd = (logs: readonly RegistryLog[], to: number): number => {
  const tooMuch = logs[MAX_EVENTS]
  if (tooMuch === undefined) return to
  const last = logs.findLast(({ blockNumber }) => blockNumber < tooMuch.blockNumber)
  return (last ?? tooMuch).blockNumber
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
  const { logs: found, to: read } = await logsUntilFull(source, whole)
  const upTo = batchEnd(found, read)
  const headers = whole.filter(({ number }) => number <= upTo)
  const logs = found.filter(({ blockNumber }) => blockNumber <= upTo)
  const last = headers.at(-1) as FetchedHeader
  const told = ofChain(last.hash, heads)
  const next = await apply(ctx, state, told, { logs, headers, keep: headers })
  if (next === undefined) return { kind: 'idle', state }
  return { kind: next.processedBlock < heads.head.number ? 'more' : 'idle', state: next }
}

/** Events of blocks, as far as they are needed for one transaction, and the block up to which they are read. */
const logsUntilFull = async (
  source: ChainSource,
  headers: readonly FetchedHeader[],
): Promise<{ logs: RegistryLog[]; to: number }> => {
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
const linked = (headers: readonly FetchedHeader[]): readonly FetchedHeader[] => {
  const end = headers.findIndex((header, i) => i > 0 && header.parentHash !== headers[i - 1]?.hash)
  return end === -1 ? headers : headers.slice(0, end)
}

/** @returns undefined when the node's chain has changed meanwhile: what is left of it is for the next step. */
const apply = async (
  ctx: FollowContext,
  state: FeedState,
  heads: Heads,
  batch: { logs: readonly RegistryLog[]; headers: readonly Header[]; keep: readonly Header[] },
): Promise<FeedState | undefined> => {
  const last = batch.keep.at(-1) as Header
  const processed = {
    processedBlock: last.number,
    processedHash: last.hash,
    processedTimestampMs: last.timestampMs,
  }
  const next = settled({ ...state, ...processed }, heads)
  const finality: Finality = { safe: next.safeBlock, finalized: next.finalizedBlock }
  const occurrences = await readOccurrences(ctx, batch.logs, last)
  if (occurrences === undefined) return undefined
  const times = new Map(batch.headers.map(({ hash, timestampMs }) => [hash, timestampMs]))
  const nowMs = ctx.nowMs()
  await ctx.writer.transaction(async (sql) => {
    await keepBlocks(sql, batch.keep)
    await project(sql, {
      chainId: ctx.followed.chainId,
      occurrences,
      timeOf: (hash) => times.get(hash) ?? nowMs,
      finality,
      nowMs,
    })
    await settle(sql, finality, nowMs)
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
