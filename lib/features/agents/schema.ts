import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { byteText } from '#lib/platform/db/schema/columns.ts'
import { users } from '#lib/platform/db/schema/identity.ts'

/**
 * Applications that act for an account (OAuth). A grant begins as a code, which is exchanged for a refresh token once;
 * access tokens have no row. Of all secrets only a hash is here.
 */
export const agentGrants = pgTable(
  'agent_grants',
  {
    selector: text('selector').primaryKey(),
    address: byteText('address')
      .notNull()
      .references(() => users.address),
    clientName: byteText('client_name').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    codeHash: text('code_hash').notNull(),
    /** SHA-256 of the verifier, base64url (PKCE). */
    codeChallenge: text('code_challenge').notNull(),
    /** Hash of the refresh token, replaced at each use; null before the exchange. */
    refreshHash: text('refresh_hash'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** Time of the last token. */
    usedAt: timestamp('used_at', { withTimezone: true }),
    /** End of the code, then of the refresh token. */
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    index('agent_grants_address').on(t.address, t.createdAt),
    index('agent_grants_expiry').on(t.expiresAt),
  ],
)
