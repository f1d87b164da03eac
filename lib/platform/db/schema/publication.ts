import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { byteText } from './columns.ts'

/** One row for each publication an owner started; the stage is its progress. */
export const publications = pgTable(
  'publications',
  {
    kind: text('kind').notNull(),
    name: byteText('name').notNull(),
    owner: byteText('owner').notNull(),
    contentHash: byteText('content_hash').notNull(),
    stage: text('stage').notNull(),
    address: byteText('address').notNull(),
    calldata: text('calldata').notNull(),
    gas: bigint('gas', { mode: 'bigint' }).notNull(),
    publicationNonce: bigint('publication_nonce', { mode: 'number' }).notNull(),
    deadline: bigint('deadline', { mode: 'number' }).notNull(),
    txHash: byteText('tx_hash'),
    failure: text('failure'),
    /** The request that took it farthest, for the log of the worker that reads it from the chain. */
    requestId: text('request_id'),
    attempts: integer('attempts').notNull().default(0),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.name, t.owner, t.contentHash] }),
    index('publications_owner').on(t.owner, t.updatedAt),
    check('publications_stage', sql`stage in ('prepared', 'pending', 'mined', 'failed')`),
  ],
)
