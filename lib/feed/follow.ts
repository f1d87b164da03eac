import type { Hash } from '../domain/entity.ts'
import type { ChainSource, FetchedHeader, Header, Heads, RegistryLog } from './chain-source.ts'
import type { Finality } from './items.ts'
import { readOccurrences } from './occurrence.ts'
import { project } from './project.ts'
import { settle } from './settle.ts'
import { type FeedState, type Followed, keepBlocks, pruneBlocks, saveState } from './state.ts'
import { withdraw } from './withdraw.ts'
import type { Writer } from './writer.ts'

export interface FollowContext {
  readonly source: ChainSource
  readonly writer: Writer
  readonly followed: Followed
  readonly nowMs: () => number
  /** Told about publications whose artifact the chain does not prove. */
  readonly onUnverified: (names: readonly string[]) => void
  /** Blocks asked for at once below finality; shrinks when the node refuses, grows when it does not. */
  readonly range: { size: number }
}

/** What one step found; `more` asks for the next step at once. */
export type StepOutcome =
  | { readonly kind: 'more' | 'idle' | 'behind'; readonly state: FeedState }
  | { readonly kind: 'withdrawn'; readonly state: FeedState; readonly depth: number }
  | { readonly kind: 'frozen'; readonly state: FeedState; readonly reason: string }

const UNFINALIZED_BATCH = 64
const MAX_RANGE = 10_000
export const FIRST_RANGE = 2_000

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
  const finalized = Math.max(state.finalizedBlock, Math.min(heads.finalized ?? -1, head.number))
  return finalized > state.processedBlock ? catchUp(ctx, state, heads, finalized) : advance(ctx, state, heads)
}

/** Keeps the block before the first that can hold an event, so that every later one has a parent to be checked by. */
const anchor = async (ctx: FollowContext, state: FeedState, head: Header): Promise<StepOutcome> => {
  if (head.number < state.processedBlock) return { kind: 'behind', state }
  const [header] = await ctx.source.headers(state.processedBlock, state.processedBlock)
  if (header === undefined) return { kind: 'behind', state }
  await ctx.writer.transaction((sql) => keepBlocks(sql, [header]))
  return { kind: 'more', state: { ...state, processedHash: header.hash } }
}

/** A batch of final blocks: nothing in it can move, so events are asked for by range. */
const catchUp = async (
  ctx: FollowContext,
  state: FeedState,
  heads: Heads,
  finalized: number,
): Promise<StepOutcome> => {
  const { source, range } = ctx
  const from = state.processedBlock + 1
  const to = Math.min(finalized, state.processedBlock + range.size)
  if (state.processedBlock >= 0) {
    const [here] = await source.headers(state.processedBlock, state.processedBlock)
    if (here === undefined) return { kind: 'idle', state }
    if (here.hash !== state.processedHash) return retreat(ctx, state, here)
  }
  const [last] = await source.headers(to, to)
  if (last === undefined) return { kind: 'idle', state }
  const logs = await source.logsOfRange(from, to).catch((error: unknown) => {
    range.size = Math.max(1, Math.floor(range.size / 2))
    throw error
  })
  const headers = await Promise.all(
    [...new Set(logs.map(({ blockHash }) => blockHash))].map((hash) => source.headerByHash(hash)),
  )
  const known = headers.filter((header) => header !== undefined)
  if (known.length < headers.length) return { kind: 'idle', state }
  const next = await apply(ctx, state, heads, { logs, headers: known, keep: [last] })
  range.size = Math.min(MAX_RANGE, range.size * 2)
  return { kind: 'more', state: next }
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
  const headers = linked(fetched)
  const withLogs = headers.filter(({ mayHaveLogs }) => mayHaveLogs)
  const logs = await source.logsOfBlocks(withLogs.map(({ hash }) => hash))
  const last = headers.at(-1) as FetchedHeader
  if (withLogs.length > 0) {
    // Some nodes answer "no events" for a block they have just dropped.
    const [again] = await source.headers(last.number, last.number)
    if (again?.hash !== last.hash) return { kind: 'idle', state }
  }
  const next = await apply(ctx, state, heads, { logs, headers, keep: headers })
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
  const next = settled({ ...state, processedBlock: last.number, processedHash: last.hash }, heads)
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
  return next
}

/** No new block: only the heights may have moved. */
const note = async (ctx: FollowContext, state: FeedState, heads: Heads): Promise<StepOutcome> => {
  const next = settled(state, heads)
  const same =
    next.headBlock === state.headBlock &&
    next.safeBlock === state.safeBlock &&
    next.finalizedBlock === state.finalizedBlock
  if (same) return { kind: 'idle', state }
  const nowMs = ctx.nowMs()
  await ctx.writer.transaction(async (sql) => {
    await settle(sql, { safe: next.safeBlock, finalized: next.finalizedBlock }, nowMs)
    await pruneBlocks(sql, next.finalizedBlock)
    await saveState(sql, next, nowMs)
  })
  return { kind: 'idle', state: next }
}

/** Finality only grows, and a height the node did not tell stays what it was. */
const settled = (state: FeedState, { head, safe, finalized }: Heads): FeedState => {
  const finalizedBlock = Math.max(state.finalizedBlock, finalized ?? -1)
  return {
    ...state,
    headBlock: head.number,
    finalizedBlock,
    safeBlock: Math.max(state.safeBlock, safe ?? -1, finalizedBlock),
  }
}

/**
 * Walks back from a block of the node's chain, parent by parent, to one that was processed, and takes back everything
 * above it. Below finality nothing is taken back: the node must be wrong, or the operator must decide.
 */
const retreat = async (ctx: FollowContext, state: FeedState, from: Header): Promise<StepOutcome> => {
  let header: Header | undefined = from
  while (header !== undefined && header.number >= state.finalizedBlock) {
    const stored = await storedHash(ctx, header.number)
    if (stored === header.hash) return takeBack(ctx, state, header)
    const base = ctx.followed.deploymentBlock - 1
    // Nothing of ours is in the base block or below, so while it is not final another one will do.
    if (header.number === base && state.finalizedBlock < base) return takeBack(ctx, state, header)
    if (stored === undefined) break
    header = await ctx.source.headerByHash(header.parentHash)
    if (header === undefined) return { kind: 'idle', state }
  }
  return {
    kind: 'frozen',
    state,
    reason:
      `the chain endpoint shows another chain below block ${state.finalizedBlock}, which was final: nothing is ` +
      'rewritten until it shows the known chain again (or the database is replaced)',
  }
}

const takeBack = async (ctx: FollowContext, state: FeedState, ancestor: Header): Promise<StepOutcome> => {
  const next = { ...state, processedBlock: ancestor.number, processedHash: ancestor.hash }
  const nowMs = ctx.nowMs()
  await ctx.writer.transaction(async (sql) => {
    await withdraw(sql, ancestor.number, nowMs)
    await keepBlocks(sql, [ancestor])
    await saveState(sql, next, nowMs)
  })
  return { kind: 'withdrawn', state: next, depth: state.processedBlock - ancestor.number }
}

const storedHash = (ctx: FollowContext, number: number): Promise<Hash | undefined> =>
  ctx.writer.transaction(async (sql) => {
    const [row] = await sql<{ hash: Hash }[]>`select hash from chain_blocks where number = ${number}`
    return row?.hash
  })
