import type { Address } from '#lib/protocol/entity.ts'

/** An address as the database has it. */
export function lower(address: string): Address {
  return address.toLowerCase() as Address
}
