import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import { byteText, kindAndName } from './columns.ts'

/** Blocks that may still be reorganised, and the newest finalized one: the worker walks back over these. */
export const chainBlocks = pgTable('chain_blocks', {
  number: bigint('number', { mode: 'number' }).primaryKey(),
  hash: byteText('hash').notNull(),
  parentHash: byteText('parent_hash').notNull(),
  timestampMs: bigint('timestamp_ms', { mode: 'number' }).notNull(),
})

/** Registry events of the canonical chain as received, with the publication calldata that explains them. */
export const registryLogs = pgTable(
  'registry_logs',
  {
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    blockHash: byteText('block_hash').notNull(),
    txHash: byteText('tx_hash').notNull(),
    txIndex: integer('tx_index').notNull(),
    logIndex: integer('log_index').notNull(),
    topics: jsonb('topics').$type<string[]>().notNull(),
    data: text('data').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.blockHash, t.logIndex] }),
    index('registry_logs_block').on(t.blockNumber, t.logIndex),
  ],
)

/** One item for each logical entity event, holding its best live occurrence. */
export const feedItems = pgTable(
  'feed_items',
  {
    feedId: byteText('feed_id').primaryKey(),
    eventType: text('event_type').notNull(),
    status: text('status').notNull(),
    visible: boolean('visible').notNull(),
    txHash: byteText('tx_hash').notNull(),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    blockHash: byteText('block_hash').notNull(),
    txIndex: integer('tx_index').notNull(),
    logIndex: integer('log_index').notNull(),
    historyCursor: byteText('history_cursor').notNull(),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
    updatedAtMs: bigint('updated_at_ms', { mode: 'number' }).notNull(),
    projectorVersion: integer('projector_version').notNull(),
    ...kindAndName,
    owner: byteText('owner').notNull(),
    /** Connectors only. */
    formatHash: byteText('format_hash'),
  },
  (t) => [
    index('feed_items_history').on(t.historyCursor, t.feedId),
    index('feed_items_type_history').on(t.eventType, t.historyCursor, t.feedId),
    index('feed_items_owner').on(t.owner, t.historyCursor, t.feedId),
    index('feed_items_format')
      .on(t.formatHash, t.historyCursor, t.feedId)
      .where(sql`format_hash is not null`),
    index('feed_items_unsettled').on(t.status, t.historyCursor, t.feedId).where(sql`status <> 'finalized'`),
    index('feed_items_open').on(t.blockNumber).where(sql`status in ('observed', 'safe')`),
    check('feed_items_status', sql`status in ('observed', 'safe', 'finalized', 'removed')`),
  ],
)

/** Deltas in commit order: the delivery itself. `stream_seq` is assigned by the single writer, without gaps. */
export const feedOutbox = pgTable(
  'feed_outbox',
  {
    streamSeq: bigint('stream_seq', { mode: 'number' }).primaryKey(),
    feedId: byteText('feed_id').notNull(),
    eventType: text('event_type').notNull(),
    status: text('status').notNull(),
    historyCursor: byteText('history_cursor').notNull(),
    createdAtMs: bigint('created_at_ms', { mode: 'number' }).notNull(),
    ...kindAndName,
    owner: byteText('owner').notNull(),
    /** Connectors only. */
    formatHash: byteText('format_hash'),
  },
  (t) => [index('feed_outbox_removed').on(t.streamSeq).where(sql`status = 'removed'`)],
)

/** A single row: which chain this database follows and how far the writer came. */
export const workerState = pgTable(
  'worker_state',
  {
    id: integer('id').primaryKey().default(1),
    chainId: bigint('chain_id', { mode: 'number' }).notNull(),
    registry: byteText('registry').notNull(),
    /** Last block whose effects are in the tables; the block before the deployment at first. */
    processedBlock: bigint('processed_block', { mode: 'number' }).notNull(),
    headBlock: bigint('head_block', { mode: 'number' }).notNull(),
    safeBlock: bigint('safe_block', { mode: 'number' }).notNull(),
    finalizedBlock: bigint('finalized_block', { mode: 'number' }).notNull(),
    /** Times of the two blocks themselves; null until they are known. */
    processedTimestampMs: bigint('processed_timestamp_ms', { mode: 'number' }),
    headTimestampMs: bigint('head_timestamp_ms', { mode: 'number' }),
    lastStreamSeq: bigint('last_stream_seq', { mode: 'number' }).notNull().default(0),
    reorgCount: integer('reorg_count').notNull().default(0),
    reorgDeepest: integer('reorg_deepest').notNull().default(0),
    reorgLastDepth: integer('reorg_last_depth'),
    reorgLastAtMs: bigint('reorg_last_at_ms', { mode: 'number' }),
    /** Why nothing is rewritten, from the moment the node contradicts what is final until it does no longer. */
    frozenReason: text('frozen_reason'),
    frozenSinceMs: bigint('frozen_since_ms', { mode: 'number' }),
    updatedAtMs: bigint('updated_at_ms', { mode: 'number' }).notNull(),
  },
  () => [check('worker_state_single', sql`id = 1`)],
)

/** One heartbeat row per running worker; a stale row belongs to a process that has exited or hangs. */
export const workerInstances = pgTable(
  'worker_instances',
  {
    instance: text('instance').primaryKey(),
    role: text('role').notNull(),
    roleSinceMs: bigint('role_since_ms', { mode: 'number' }).notNull(),
    /** By the database's clock, so that machines need not agree about the time. */
    heartbeatAt: timestamp('heartbeat_at', { withTimezone: true }).notNull(),
    /** Backend of the database session that holds, or waits for, the writer lock. */
    backendPid: integer('backend_pid'),
    /** Time of the worker's last response from the node. */
    headSeenAtMs: bigint('head_seen_at_ms', { mode: 'number' }),
    /** Why it does not advance; null while it does. */
    problemCode: text('problem_code'),
    problem: text('problem'),
  },
  () => [check('worker_instances_role', sql`role in ('writer', 'standby')`)],
)

/** Work of one process at a time, where no session can hold a lock for it. */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  holder: text('holder').notNull(),
  /** By the database's clock. */
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})
