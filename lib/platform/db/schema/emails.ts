import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { byteText } from './columns.ts'
import { users } from './identity.ts'

/** The e-mail address that the notices of an account are sent to, where the operator sends e-mail. */
export const emails = pgTable(
  'emails',
  {
    account: byteText('account')
      .primaryKey()
      .references(() => users.address),
    address: text('address').notNull(),
    /** 128 random bits: only e-mails carry it, so that its reader can confirm and unsubscribe. */
    key: byteText('key').notNull().unique(),
    /** Null until the address is confirmed. */
    confirmedAt: timestamp('confirmed_at', { withTimezone: true }),
    /** When the next e-mail is due; null while there is none to send. */
    dueAt: timestamp('due_at', { withTimezone: true }),
    sentAt: timestamp('sent_at', { withTimezone: true }),
    /** Notices up to this time are sent. */
    readTo: timestamp('read_to', { withTimezone: true }).notNull(),
    /** Attempts at the present e-mail. */
    attempts: integer('attempts').notNull().default(0),
    /** Why nothing is sent any more. */
    stopped: text('stopped'),
  },
  (t) => [index('emails_due').on(t.dueAt).where(sql`due_at is not null`)],
)

/** Confirmations of the last day, which limit how many an address receives and an account causes. */
export const emailRequests = pgTable(
  'email_requests',
  {
    /** SHA-256 of the address. */
    recipient: byteText('recipient').notNull(),
    account: byteText('account').notNull(),
    requestedAt: timestamp('requested_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    index('email_requests_recipient').on(t.recipient, t.requestedAt),
    index('email_requests_account').on(t.account, t.requestedAt),
    index('email_requests_age').on(t.requestedAt),
  ],
)
