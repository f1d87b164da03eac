import type { z } from 'zod'
import { checksumAddress } from '../../domain/address.ts'
import type { User } from '../../social/user.ts'
import type { userPublic } from './people-schemas.ts'

/** A user as the services API writes it. */
export function toWire(user: User): z.input<typeof userPublic> {
  return {
    id: checksumAddress(user.address),
    display_name: user.displayName,
    status: user.status,
    roles: [...user.roles],
    profile_json: user.profile,
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    last_login_at: user.lastLoginAt?.toISOString() ?? null,
  }
}
