import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

/**
 * When what is behind the public reads last changed. Triggers of the migrations write it, once a transaction that
 * changes a scope; a row for some of the database's sessions each, so that writers rarely wait for one another.
 */
export const readStampRows = pgTable(
  'read_stamps',
  {
    /** `drafts`, `entities` (all that is projected but the feed) or `feed`. */
    scope: text('scope').notNull(),
    shard: integer('shard').notNull(),
    stamp: uuid('stamp').notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.shard] })],
)
