import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { byteText } from './columns.ts'
import { users } from './identity.ts'

/**
 * Marks of accounts: pieces that they like, pieces that they saved to their library, formats that they follow. Each once.
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
