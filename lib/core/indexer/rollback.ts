import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { recountAggregates } from './aggregates.ts'
import { rollBackWords } from './author-words.ts'
import type { Header } from './chain-source.ts'
import { appendDeltas, type Delta } from './outbox.ts'
import {
  countReorg,
  type FeedState,
  type FollowContext,
  type StepOutcome,
  saveState,
  storeBlocks,
  storedHashes,
} from './state.ts'
import type { WriterSql } from './writer.ts'

/**
 * Handles a reorg: finds the common ancestor and rolls everything above it back in one transaction. Nothing below
 * finality is rolled back: the indexer freezes, because either the node is wrong or the operator has to decide.
 *
 * @param from Block of the node's chain, at most as high as the processed one.
 */
export async function handleReorg(ctx: FollowContext, state: FeedState, from: Header): Promise<StepOutcome> {
  const ancestor = await findCommonAncestor(ctx, state, from)
  if (ancestor === 'unknown') return { kind: 'idle', state }
  return ancestor === 'below finality' ? freeze(ctx, state) : rollBack(ctx, state, ancestor)
}

/**
 * Follows parent hashes from a block of the node's chain down to one that is stored. Not every block is: the ends of
 * ranges are, those with events, and the finalized one.
 */
async function findCommonAncestor(
  ctx: FollowContext,
  state: FeedState,
  from: Header,
): Promise<Header | 'below finality' | 'unknown'> {
  const base = ctx.followed.deploymentBlock - 1
  const hashes = await ctx.writer.transaction((sql) =>
    storedHashes(sql, Math.min(base, state.finalizedBlock)),
  )
  let header: Header | undefined = from
  while (header !== undefined && header.number >= state.finalizedBlock) {
    const stored: Hash | undefined = hashes.get(header.number)
    if (stored === header.hash) return header
    // The base block and those below hold no event, so another one will do while it is not final.
    if (header.number === base && state.finalizedBlock < base) return header
    header = await ctx.source.headerByHash(header.parentHash)
    if (header === undefined) return 'unknown'
  }
  return 'below finality'
}

async function rollBack(ctx: FollowContext, state: FeedState, ancestor: Header): Promise<StepOutcome> {
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
    await rollbackTo(sql, ancestor.number, nowMs)
    await storeBlocks(sql, [ancestor])
    await countReorg(sql, depth, nowMs)
    await saveState(sql, next, nowMs)
  })
  return { kind: 'rolled back', state: next, depth }
}

/** Stores the reason, so that the site and the next worker have it without a request to the node. */
async function freeze(ctx: FollowContext, state: FeedState): Promise<StepOutcome> {
  const reason =
    `the chain endpoint shows another chain below block ${state.finalizedBlock}, which was final: nothing is ` +
    'rewritten until it shows the known chain again'
  const next: FeedState = { ...state, frozenReason: reason }
  if (state.frozenReason !== reason) {
    await ctx.writer.transaction((sql) => saveState(sql, next, ctx.nowMs()))
  }
  return { kind: 'frozen', state: next, reason }
}

/**
 * Deletes everything above a block: entities (their drafts show again), references, accounts, formats, logs and
 * blocks. Feed items become `removed`, newest first; final ones are never touched.
 */
export async function rollbackTo(sql: WriterSql, ancestor: number, nowMs: number): Promise<void> {
  const deleted = await sql<
    { kind: EntityKind; name: string; owner: Address; content_hash: Hash; format_hash: Hash | null }[]
  >`
    delete from entities where block_number > ${ancestor}
    returning kind, name, owner, content_hash, format_hash`
  await sql`delete from unverified_publications where block_number > ${ancestor}`
  const connectors = deleted.flatMap(({ kind, name }) => (kind === 'connector' ? [name] : []))
  await sql`delete from entity_references where connector = any(${connectors})`
  await rollBackWords(sql, deleted)
  await recountAggregates(
    sql,
    deleted.map(({ owner, format_hash }) => ({ owner, formatHash: format_hash })),
  )
  // Their transactions usually wait in the pool to be mined again, and their owners may poll their status.
  await sql`
    update publications set stage = 'pending', updated_at = now()
    where (kind, name, owner, content_hash) in (
      select * from unnest(${deleted.map(({ kind }) => kind)}::text[], ${deleted.map(({ name }) => name)}::text[],
        ${deleted.map(({ owner }) => owner)}::text[], ${deleted.map((entity) => entity.content_hash)}::text[]))`
  const removed = await sql<Delta[]>`
    update feed_items set status = 'removed', visible = false, updated_at_ms = ${nowMs}
    where block_number > ${ancestor} and status in ('observed', 'safe')
    returning feed_id, event_type, status, history_cursor, kind, name, owner, format_hash`
  const descending = removed.toSorted((a, b) => (a.history_cursor < b.history_cursor ? 1 : -1))
  await appendDeltas(sql, descending, nowMs)
  await sql`delete from registry_logs where block_number > ${ancestor}`
  await sql`delete from chain_blocks where number > ${ancestor}`
}
