import type { Context, Services } from '#lib/core/context/context.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { PATIENCE_MS } from './until.ts'

/** The context of a capability, with an account as its caller or without one. */
export function contextOf(services: Services, caller?: Address): Context {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  return { ...services, requestId: 'test', client: undefined, caller, session: undefined, signal }
}
