import { pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { byteText } from '#lib/platform/db/schema/columns.ts'

/** Last answers of a verifier of sources (Sourcify) about each contract of the chain. */
export const contractVerdicts = pgTable(
  'contract_verdicts',
  {
    verifier: text('verifier').notNull(),
    contract: text('contract').notNull(),
    address: byteText('address').notNull(),
    match: text('match').notNull(),
    words: text('words').notNull(),
    at: timestamp('at', { withTimezone: true }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.verifier, t.contract] })],
)
