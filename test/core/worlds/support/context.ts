import type { Context, Services } from '#lib/core/context/context.ts'
import type { Address } from '#lib/protocol/entity.ts'

/** Context of a verb that `address` calls. */
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
