import { bigint, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Acts of operators, administrators, sponsors and owners that take something away, or spend. Rows are only added. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp('at', { withTimezone: true }).notNull(),
    /** An account, or the user of the machine of an operator. */
    actor: text('actor').notNull(),
    act: text('act').notNull(),
    /** `<kind>/<name>` of an entity, the id of a World, an account, the hash of a transaction. */
    subject: text('subject').notNull(),
    /** The operator's words, or what more there is to say. */
    reason: text('reason').notNull(),
  },
  (t) => [index('audit_log_subject').on(t.subject, t.id), index('audit_log_at').on(t.at)],
)
