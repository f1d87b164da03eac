import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { byteText } from './columns.ts'

/** Sign-in nonces of the chain API that an attempt has named, until they have expired. Unused ones have no row. */
export const usedChainNonces = pgTable(
  'used_chain_nonces',
  {
    nonce: text('nonce').primaryKey(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (t) => [index('used_chain_nonces_expiry').on(t.expiresAt)],
)

/**
 * Live sign-in challenges of the services API; a row is deleted when it is used. The whole message is stored, since
 * only its exact bytes are accepted; the hash exists because a message is too long for a key.
 */
export const siweChallenges = pgTable(
  'siwe_challenges',
  {
    messageHash: text('message_hash').primaryKey(),
    message: byteText('message').notNull(),
    address: byteText('address').notNull(),
    /** Client address of the request; empty for programs on the same machine. */
    client: text('client').notNull().default(''),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    index('siwe_challenges_client').on(t.address, t.client, t.expiresAt),
    index('siwe_challenges_expiry').on(t.expiresAt),
  ],
)

/** Every account that ever signed in to the services API. */
export const users = pgTable(
  'users',
  {
    address: byteText('address').primaryKey(),
    status: text('status').notNull().default('active'),
    displayName: text('display_name'),
    /** JSON text of an object. Not `jsonb`, which rejects some strings and does not preserve the order of keys. */
    profile: text('profile').notNull().default('{}'),
    /** Display names from the profile, one per line, the preferred one first: for search and lists of accounts. */
    searchText: text('search_text').notNull().default(''),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** Time of the profile's last change. */
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
    lastLoginAt: timestamp('last_login_at', { withTimezone: true }),
    /** Keyed hash of the network of the first sign-in; cleared when the account is no longer fresh. */
    network: text('network'),
  },
  (t) => [
    index('users_network').on(t.createdAt, t.network).where(sql`network is not null`),
    index('users_active').on(t.address).where(sql`status = 'active'`),
    index('users_suspended').on(t.address).where(sql`status = 'suspended'`),
    index('users_named')
      .on(sql`lower(split_part(${t.searchText}, chr(10), 1))`, t.address)
      .where(sql`status = 'active' and search_text <> ''`),
    check('users_status', sql`status in ('active', 'suspended', 'deleted')`),
  ],
)

/** Sessions of the services API. A token is `<selector>.<secret>`; of the secret only a hash is here. */
export const sessions = pgTable(
  'sessions',
  {
    selector: text('selector').primaryKey(),
    /** SHA-256, hexadecimal. */
    secretHash: text('secret_hash').notNull(),
    address: byteText('address')
      .notNull()
      .references(() => users.address),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (t) => [index('sessions_address').on(t.address), index('sessions_expiry').on(t.expiresAt)],
)

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

/** Follows between accounts. */
export const follows = pgTable(
  'follows',
  {
    follower: byteText('follower')
      .notNull()
      .references(() => users.address),
    followed: byteText('followed')
      .notNull()
      .references(() => users.address),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.follower, t.followed] }),
    index('follows_followed').on(t.followed, t.follower),
    check('follows_not_oneself', sql`follower <> followed`),
  ],
)
