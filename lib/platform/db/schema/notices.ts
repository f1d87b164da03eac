import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { byteText, kindAndName } from './columns.ts'
import { users } from './identity.ts'

/** Acts of other accounts that concern an account: they built on its work, remixed it, followed it. The newest ones only. */
export const notices = pgTable(
  'notices',
  {
    account: byteText('account')
      .notNull()
      .references(() => users.address),
    what: text('what').notNull(),
    actor: byteText('actor').notNull(),
    /** The account's own entity; empty for a follow, as are the two below. */
    ...kindAndName,
    /** The entity of the actor. */
    byKind: text('by_kind').notNull(),
    byName: byteText('by_name').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.what, t.actor, t.kind, t.name, t.byKind, t.byName] }),
    index('notices_newest').on(t.account, t.createdAt),
    check('notices_what', sql`what in ('built', 'remixed', 'followed')`),
  ],
)

/** Up to where an account has seen its notices. */
export const inboxes = pgTable('inboxes', {
  account: byteText('account')
    .primaryKey()
    .references(() => users.address),
  seenAt: timestamp('seen_at', { withTimezone: true }),
})
