import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { byteText, kindAndName } from './columns.ts'
import { users } from './identity.ts'

/**
 * What accounts marked: pieces that they like, pieces that they saved to their library, formats that they follow. Each once.
 */
export const marks = pgTable(
  'marks',
  {
    account: byteText('account')
      .notNull()
      .references(() => users.address),
    mark: text('mark').notNull(),
    kind: text('kind').notNull(),
    /** Name of an entity, id of a World, or hash of a format. */
    name: byteText('name').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.mark, t.kind, t.name] }),
    index('marks_newest').on(t.mark, t.kind, t.createdAt, t.name, t.account),
    index('marks_of_account').on(t.account, t.mark, t.createdAt),
    check('marks_mark', sql`mark in ('like', 'save', 'follow')`),
  ],
)

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

/** Who played what on that day, by a salted hash of the client address. */
export const playVisitors = pgTable(
  'play_visitors',
  {
    day: date('day', { mode: 'string' }).notNull(),
    visitor: byteText('visitor').notNull(),
    ...kindAndName,
  },
  (t) => [primaryKey({ columns: [t.day, t.visitor, t.kind, t.name] })],
)
