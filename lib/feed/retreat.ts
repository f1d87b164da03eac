import type { Hash } from '../domain/entity.ts'
import type { Header } from './chain-source.ts'
import type { FollowContext, StepOutcome } from './follow-context.ts'
import { countReorganisation, type FeedState, keepBlocks, keptHashes, saveState } from './state.ts'
import { withdraw } from './withdraw.ts'

/**
 * Walks back from a block of the node's chain, parent by parent, to one that was processed, and takes back everything
 * above it. Below finality nothing is taken back: the node must be wrong, or the operator must decide.
 */
export const retreat = async (ctx: FollowContext, state: FeedState, from: Header): Promise<StepOutcome> => {
  const base = ctx.followed.deploymentBlock - 1
  const kept = await ctx.writer.transaction((sql) => keptHashes(sql, Math.min(base, state.finalizedBlock)))
  let header: Header | undefined = from
  while (header !== undefined && header.number >= state.finalizedBlock) {
    const stored: Hash | undefined = kept.get(header.number)
    if (stored === header.hash) return takeBack(ctx, state, header)
    // Nothing of ours is in the base block or below, so while it is not final another one will do.
    if (header.number === base && state.finalizedBlock < base) return takeBack(ctx, state, header)
    if (stored === undefined) break
    header = await ctx.source.headerByHash(header.parentHash)
    if (header === undefined) return { kind: 'idle', state }
  }
  return freeze(ctx, state)
}

const takeBack = async (ctx: FollowContext, state: FeedState, ancestor: Header): Promise<StepOutcome> => {
  const depth = state.processedBlock - ancestor.number
  const next: FeedState = {
    ...state,
    processedBlock: ancestor.number,
    processedHash: ancestor.hash,
    processedTimestampMs: ancestor.timestampMs,
    frozenReason: undefined,
  }
  const nowMs = ctx.nowMs()
  await ctx.writer.transaction(async (sql) => {
    await withdraw(sql, ancestor.number, nowMs)
    await keepBlocks(sql, [ancestor])
    await countReorganisation(sql, depth, nowMs)
    await saveState(sql, next, nowMs)
  })
  return { kind: 'withdrawn', state: next, depth }
}

/** Kept in the database too, so that the site and the next worker know it without asking the node. */
const freeze = async (ctx: FollowContext, state: FeedState): Promise<StepOutcome> => {
  const reason =
    `the chain endpoint shows another chain below block ${state.finalizedBlock}, which was final: nothing is ` +
    'rewritten until it shows the known chain again'
  const next: FeedState = { ...state, frozenReason: reason }
  if (state.frozenReason !== reason) {
    await ctx.writer.transaction((sql) => saveState(sql, next, ctx.nowMs()))
  }
  return { kind: 'frozen', state: next, reason }
}
