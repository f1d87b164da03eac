import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { byteText, kindAndName } from '#lib/platform/db/schema/columns.ts'
import { worlds } from '#lib/platform/db/schema/worlds.ts'

/** Likes and plays of a piece, counted with the rows that they count; a piece without any has no row. */
export const pieceCounts = pgTable(
  'piece_counts',
  {
    ...kindAndName,
    likes: integer('likes').notNull().default(0),
    plays: integer('plays').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.kind, t.name] })],
)

/** Days on which plays are counted: the newest only, as its salt and its visitors are deleted with the next. */
export const playDays = pgTable('play_days', {
  /** UTC. */
  day: date('day', { mode: 'string' }).primaryKey(),
  /** 128 random bits, hexadecimal: without it no address can be compared with a visitor's hash. */
  salt: text('salt').notNull(),
  /** Plays of the day: the number of its rows below. */
  plays: integer('plays').notNull().default(0),
})

/** Plays of a day by client, a salted hash of its address. */
export const playVisitors = pgTable(
  'play_visitors',
  {
    day: date('day', { mode: 'string' }).notNull(),
    visitor: byteText('visitor').notNull(),
    ...kindAndName,
  },
  (t) => [primaryKey({ columns: [t.day, t.visitor, t.kind, t.name] })],
)

/** A single row: the delta of the outbox up to which notices have been written. */
export const noticePosition = pgTable(
  'notice_position',
  {
    id: integer('id').primaryKey(),
    streamSeq: bigint('stream_seq', { mode: 'number' }).notNull(),
  },
  () => [check('notice_position_single', sql`id = 1`)],
)

/**
 * Reports about Worlds, entities and profiles, for administrators. An account has at most one open report of each. The
 * table has the name of the first of them.
 */
export const worldReports = pgTable(
  'world_reports',
  {
    id: byteText('id').primaryKey(),
    kind: text('kind').notNull().default('world'),
    /** Worlds only. */
    worldId: byteText('world_id').references(() => worlds.id),
    /** Name of an entity, or address of a profile. */
    subject: byteText('subject'),
    /** Version that was shown: hash of a bundle or of an author's words, time of a profile. It may have been replaced since. */
    bundleHash: byteText('bundle_hash').notNull(),
    reason: text('reason').notNull(),
    words: text('words').notNull(),
    /** Null for visitors. */
    reporter: byteText('reporter'),
    /** Keyed hash of the network of a visitor or of a fresh account; cleared when the day is over. */
    network: text('network'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** When an administrator dealt with it. */
    settledAt: timestamp('settled_at', { withTimezone: true }),
  },
  (t) => [
    uniqueIndex('world_reports_open').on(t.worldId, t.reporter).where(sql`settled_at is null`),
    index('world_reports_newest').on(t.createdAt),
    index('world_reports_world').on(t.worldId, t.createdAt),
    index('world_reports_subject').on(t.kind, t.subject, t.createdAt),
    index('world_reports_network').on(t.network, t.createdAt).where(sql`network is not null`),
    index('world_reports_reporter').on(t.reporter, t.createdAt),
    check('world_reports_reason', sql`reason in ('harmful', 'deceptive', 'stolen', 'broken', 'other')`),
  ],
)
