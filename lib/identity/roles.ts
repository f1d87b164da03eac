import type { Config } from '../config.ts'
import type { Role } from '../context.ts'
import type { Address } from '../domain/entity.ts'

/** Everybody is a user; administrators are named by configuration. */
export function rolesOf(config: Pick<Config, 'adminAddresses'>, address: Address): readonly Role[] {
  return config.adminAddresses.includes(address) ? ['user', 'admin'] : ['user']
}
