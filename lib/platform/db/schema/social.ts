import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import { byteText } from './columns.ts'
import { users } from './identity.ts'

/** Follows between accounts. */
export const follows = pgTable(
  'follows',
  {
    follower: byteText('follower')
      .notNull()
      .references(() => users.address),
    followed: byteText('followed')
      .notNull()
      .references(() => users.address),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.follower, t.followed] }),
    index('follows_followed').on(t.followed, t.follower),
    check('follows_not_oneself', sql`follower <> followed`),
  ],
)
