import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { byteText } from './columns.ts'

/** Live sign-in nonces of the chain API; a row is deleted when it is used. */
export const chainNonces = pgTable(
  'chain_nonces',
  {
    nonce: text('nonce').primaryKey(),
    address: byteText('address').notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    index('chain_nonces_address').on(t.address, t.createdAt),
    index('chain_nonces_expiry').on(t.expiresAt),
  ],
)
