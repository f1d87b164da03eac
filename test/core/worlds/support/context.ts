import type { Context, Services } from '#lib/core/context/context.ts'
import type { Address } from '#lib/protocol/entity.ts'

/** What a verb gets, called by `address`. */
export function openTestContext(
  services: Services,
  address: Address,
  signal: AbortSignal = new AbortController().signal,
): Context {
  return {
    ...services,
    requestId: 'test',
    caller: address,
    session: { id: 'test', address, roles: ['user'] },
    signal,
  }
}
