import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core'

/**
 * Costly requests of an account or a client address in its window, over all sites. Its migration makes it an unlogged
 * table: after a crash every window starts empty. The order of the columns is that of the package that writes it.
 */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** `<class>:<account or address>`. */
    key: text('key').primaryKey(),
    points: integer('points').notNull().default(0),
    /** When the window ends, in milliseconds since 1970. */
    expire: bigint('expire', { mode: 'number' }),
  },
  (t) => [index('rate_limits_expiry').on(t.expire)],
)
