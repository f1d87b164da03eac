import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { byteText } from '#lib/platform/db/schema/columns.ts'
import { users } from '#lib/platform/db/schema/identity.ts'

/** Addresses that accounts have the feed sent to, each with its filter and its position in the outbox. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: byteText('id').primaryKey(),
    owner: byteText('owner')
      .notNull()
      .references(() => users.address),
    name: text('name').notNull(),
    url: text('url').notNull(),
    /** The filter: null parts let everything pass. */
    filterKind: text('filter_kind'),
    filterOwner: byteText('filter_owner'),
    filterFormat: byteText('filter_format'),
    filterName: byteText('filter_name'),
    secret: text('secret').notNull(),
    /** Signs too until its end, so that receivers can change over. */
    previousSecret: text('previous_secret'),
    previousSecretUntil: timestamp('previous_secret_until', { withTimezone: true }),
    state: text('state').notNull().default('active'),
    disabledReason: text('disabled_reason'),
    /** Everything up to this number was delivered or did not pass the filter. */
    position: bigint('position', { mode: 'number' }).notNull(),
    /** Counts changes of the position by its owner: a delivery in flight then commits nothing. */
    generation: integer('generation').notNull().default(0),
    /** Failed attempts of the next delivery. */
    attempts: integer('attempts').notNull().default(0),
    failingSince: timestamp('failing_since', { withTimezone: true }),
    dueAt: timestamp('due_at', { withTimezone: true }).notNull().defaultNow(),
    /** Whether the last attempt failed or took long: such receivers share a part of the slots. */
    slow: boolean('slow').notNull().default(false),
    /** The deliverer that works on it, until its lease ends. */
    leaseToken: text('lease_token'),
    leaseUntil: timestamp('lease_until', { withTimezone: true }),
    /** Id of a test event that waits to be sent. */
    testId: byteText('test_id'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    index('webhook_endpoints_owner').on(t.owner, t.createdAt),
    // While nothing is published, none of them is behind.
    index('webhook_endpoints_behind').on(t.position).where(sql`state = 'active'`),
    index('webhook_endpoints_test').on(t.testId).where(sql`test_id is not null`),
    check('webhook_endpoints_state', sql`state in ('active', 'paused', 'disabled')`),
  ],
)

/** The last attempts of each endpoint, for its owner. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    endpointId: byteText('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    messageId: byteText('message_id').notNull(),
    /** Null for test events. */
    streamSeq: bigint('stream_seq', { mode: 'number' }),
    eventType: text('event_type').notNull(),
    attempt: integer('attempt').notNull(),
    at: timestamp('at', { withTimezone: true }).notNull().defaultNow(),
    durationMs: integer('duration_ms').notNull(),
    /** HTTP status; null when there was no answer. */
    status: integer('status'),
    /** Why it failed; null for a success. */
    error: text('error'),
    /** First characters of the answer. */
    answer: text('answer').notNull(),
  },
  (t) => [index('webhook_deliveries_endpoint').on(t.endpointId, t.id)],
)
