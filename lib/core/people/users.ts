import { and, asc, eq, ne } from 'drizzle-orm'
import type { Role, Services } from '#lib/core/context/context.ts'
import { rolesOf } from '#lib/core/identity/authorise.ts'
import type { Config } from '#lib/platform/config.ts'
import { users } from '#lib/platform/db/schema/index.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'

export type UserStatus = 'active' | 'suspended' | 'deleted'

/** Free-form profile: any JSON object, with any keys. */
export type Profile = Readonly<Record<string, unknown>>

/** An account that signed in at least once. */
export interface User {
  readonly address: Address
  readonly displayName: string | null
  readonly status: UserStatus
  readonly roles: readonly Role[]
  readonly profile: Profile
  readonly createdAt: Date
  /** When the profile last changed. */
  readonly updatedAt: Date
  readonly lastLoginAt: Date | null
}

export function toUser(config: Pick<Config, 'adminAddresses'>, row: typeof users.$inferSelect): User {
  const address = row.address as Address
  return {
    address,
    displayName: row.displayName,
    status: row.status as UserStatus,
    roles: rolesOf(config, address),
    profile: JSON.parse(row.profile) as Profile,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    lastLoginAt: row.lastLoginAt,
  }
}

/** @throws Failure('not_found') for an address that never signed in, and for a deleted user. */
export async function getUser(
  { db, config }: Pick<Services, 'db' | 'config'>,
  input: { address: Address },
): Promise<User> {
  const [row] = await db.orm
    .select()
    .from(users)
    .where(and(eq(users.address, input.address), ne(users.status, 'deleted')))
  if (row === undefined) throw new Failure('not_found', 'No such user')
  return toUser(config, row)
}

/** Active users, by address. */
export async function listUsers(
  { db }: Pick<Services, 'db'>,
  { page, limit }: Page,
): Promise<readonly Address[]> {
  const rows = await db.orm
    .select({ address: users.address })
    .from(users)
    .where(eq(users.status, 'active'))
    .orderBy(asc(users.address))
    .limit(limit)
    .offset(page * limit)
  return rows.map((row) => row.address as Address)
}

/** Display names by address, of active users that have one. */
export async function namesOf(
  { db }: Pick<Services, 'db'>,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, string>> {
  if (addresses.length === 0) return new Map()
  const rows = await db.sql<{ address: Address; name: string }[]>`
    select address, split_part(search_text, E'\n', 1) as name from users
    where address = any(${[...new Set(addresses)]}) and status = 'active' and search_text <> ''`
  return new Map(rows.map(({ address, name }) => [address, name]))
}

/**
 * Active users of a display name, in any letter case, by address.
 *
 * @param limit Most of them.
 */
export async function usersNamed(
  { db }: Pick<Services, 'db'>,
  { name, limit }: { readonly name: string; readonly limit: number },
): Promise<readonly { readonly address: Address; readonly name: string }[]> {
  if (name.includes('\0')) return []
  return db.sql<{ address: Address; name: string }[]>`
    select address, split_part(search_text, chr(10), 1) as name from users
    where lower(split_part(search_text, chr(10), 1)) = lower(${name}) and status = 'active' and search_text <> ''
    order by address limit ${limit}`
}

/** One page of a list. */
export interface Page {
  /** Counted from zero. */
  readonly page: number
  readonly limit: number
}
