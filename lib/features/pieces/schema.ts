import { bigint, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { byteText } from '#lib/platform/db/schema/columns.ts'

/**
 * Places of pieces on the wall: connectors with a title or a presentation. Triggers on `entities` and `entity_origins`
 * write them (migration 0039), so that rollbacks and repairs keep them true.
 */
export const wallPlaces = pgTable(
  'wall_places',
  {
    /** `all`, `remix`, `world HASH` and `remix world HASH`: the lists that have the piece. */
    scope: byteText('scope').notNull(),
    name: byteText('name').notNull(),
    owner: byteText('owner').notNull(),
    /** Newer pieces of its owner in the list, 10 at most: the list has the newest of everybody first. */
    turn: integer('turn').notNull(),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    txIndex: integer('tx_index').notNull(),
    logIndex: integer('log_index').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.scope, t.name] }),
    index('wall_places_order').on(t.scope, t.turn, t.blockNumber, t.txIndex, t.logIndex),
    index('wall_places_owner').on(t.scope, t.owner, t.turn, t.blockNumber, t.txIndex, t.logIndex),
  ],
)
