import { bigint, customType, integer, text } from 'drizzle-orm/pg-core'

/** Text ordered by bytes whatever the server's locale: every list of the API is in byte order. */
export const byteText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text COLLATE "C"',
})

/** Any bytes; `text` cannot store all user input. */
export const bytea = customType<{ data: Uint8Array; driverData: Buffer }>({ dataType: () => 'bytea' })

/** Columns that name an entity, or what accounts mark. */
export const kindAndName = { kind: text('kind').notNull(), name: byteText('name').notNull() }

/** Where on chain an entity came into being. */
export const place = {
  blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
  txIndex: integer('tx_index').notNull(),
  logIndex: integer('log_index').notNull(),
}
