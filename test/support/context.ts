import type { Context, Services } from '../../lib/context/context.ts'
import type { Address } from '../../lib/protocol/entity.ts'

/** What a verb gets without a session, called by an account or by anybody. */
export function contextOf(services: Services, caller?: Address): Context {
  const signal = AbortSignal.timeout(120_000)
  return { ...services, requestId: 'test', client: undefined, caller, session: undefined, signal }
}
