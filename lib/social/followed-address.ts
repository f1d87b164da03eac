import { parseAddress } from '../domain/address.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'

/**
 * Reads whom to follow, or no longer to follow.
 *
 * @throws Failure('invalid_request') for nothing, and for oneself.
 * @throws Failure('not_found') for text that cannot be a user's id.
 */
export function followedAddress(me: Address, followedId: string): Address {
  const text = followedId.trim()
  if (text === '') throw new Failure('invalid_request', 'followed_id: name the address of a user')
  const address = parseAddress(text)
  if (address === undefined) throw new Failure('not_found', 'No such user')
  if (address === me) throw new Failure('invalid_request', 'followed_id: that is you')
  return address
}
