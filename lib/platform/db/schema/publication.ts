import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import { byteText, kindAndName } from './columns.ts'

/** One row for each publication an owner started; the stage is its progress. */
export const publications = pgTable(
  'publications',
  {
    ...kindAndName,
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

/** One row for each transaction that the sponsor signed: its budget and its nonces are counted here. */
export const sponsoredTransactions = pgTable(
  'sponsored_transactions',
  {
    txHash: byteText('tx_hash').primaryKey(),
    /** Account that pays, and its nonce. */
    sponsor: byteText('sponsor').notNull(),
    nonce: bigint('nonce', { mode: 'number' }).notNull(),
    owner: byteText('owner').notNull(),
    /** Rate-limit key of the client address, while it counts. */
    client: text('client'),
    /** Hash of the calldata without the signature. */
    planHash: byteText('plan_hash').notNull(),
    /** `mined` and `reverted` have a receipt; `dropped` will never have one. */
    status: text('status').notNull(),
    /** The signed transaction while it is pending, to be sent again. */
    raw: text('raw'),
    /** Day of the budget (UTC). */
    day: date('day').notNull(),
    /** Wei: the most it can cost, and what it did. */
    reserved: numeric('reserved', { precision: 78, scale: 0 }).notNull(),
    spent: numeric('spent', { precision: 78, scale: 0 }),
    publications: integer('publications').notNull(),
    /** Unix seconds after which the registry refuses it. */
    deadline: bigint('deadline', { mode: 'number' }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    index('sponsored_transactions_day').on(t.day),
    index('sponsored_transactions_owner').on(t.owner, t.createdAt),
    check('sponsored_transactions_status', sql`status in ('pending', 'mined', 'reverted', 'dropped')`),
  ],
)
