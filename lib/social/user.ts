import type { Config } from '../config.ts'
import type { Role } from '../context.ts'
import type { users } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { rolesOf } from '../identity/roles.ts'

export type UserStatus = 'active' | 'suspended' | 'deleted'

/** What people put into their profile: any JSON object, whatever its keys are called. */
export type Profile = Readonly<Record<string, unknown>>

/** Somebody who signed in at least once. */
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
