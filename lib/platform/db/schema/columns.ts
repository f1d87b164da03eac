import { customType } from 'drizzle-orm/pg-core'

/** Text ordered by bytes whatever the server's locale: every list of the API is in byte order. */
export const byteText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text COLLATE "C"',
})

/** Any bytes; `text` cannot store all user input. */
export const bytea = customType<{ data: Uint8Array; driverData: Buffer }>({ dataType: () => 'bytea' })
