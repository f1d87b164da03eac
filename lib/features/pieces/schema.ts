import { bigint, index, integer, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import { bytea, byteText } from '#lib/platform/db/schema/columns.ts'

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

/** Pictures of pieces that their owners took: files of our own making, at most 350 kB each. */
export const pieceStills = pgTable(
  'piece_stills',
  {
    /** Name of the connector. */
    name: byteText('name').primaryKey(),
    owner: byteText('owner').notNull(),
    /** Content hash of the connector when the picture was taken: another one of the name, after a reorg, has none. */
    contentHash: byteText('content_hash').notNull(),
    /** SHA-256 of the bytes, 64 lower-case hex digits. */
    hash: byteText('hash').notNull(),
    /** WebP. */
    bytes: bytea('bytes').notNull(),
    /** The same at the size of a tile; null for a picture that was taken before tiles were stored. */
    tile: bytea('tile'),
    takenAt: timestamp('taken_at', { withTimezone: true }).notNull(),
    /** Null while its piece is published, as far as the last look knows. */
    unpublishedSince: timestamp('unpublished_since', { withTimezone: true }),
  },
  (t) => [index('piece_stills_hash').on(t.hash), index('piece_stills_owner').on(t.owner)],
)
