import { BadArguments, type ValueLimits } from './call-arguments.ts'
import { isFields, isName } from './envelope.ts'
import { METHODS } from './methods.ts'
import type { WorldCalls, WorldRpcError } from './protocol.ts'

export type Logger = Pick<Console, 'warn' | 'error'>

export type RpcOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: WorldRpcError }

/** Answers calls of a World; never throws. */
export type Broker = (method: unknown, params: unknown) => Promise<RpcOutcome>

export interface BrokerOptions {
  readonly client: WorldCalls
  /** Canonical names. */
  readonly permissions: ReadonlySet<string>
  readonly valueLimits: ValueLimits | undefined
  readonly logger: Logger
}

/** Concurrent calls of one World, which needs a handful; each may cost the server seconds. */
const MAX_IN_FLIGHT = 32

/** Handles the calls of a World: checks permission and arguments, and hides internal errors. */
export function createBroker({ client, permissions, valueLimits, logger }: BrokerOptions): Broker {
  let inFlight = 0
  return async (name, params) => {
    if (!isName(name)) return refuse('bad_request', 'method must be the name of a method')
    const method = METHODS.get(name)
    if (method === undefined) return refuse('unknown_method', `There is no method ${name}`)
    if (!permissions.has(method.permission)) {
      return refuse('permission_denied', `${name} needs the permission ${method.permission}`)
    }
    if (inFlight >= MAX_IN_FLIGHT) {
      return refuse('host_error', `More than ${MAX_IN_FLIGHT} calls are under way`, 429)
    }
    inFlight += 1
    try {
      const call = method.prepare(isFields(params) ? params : {}, valueLimits)
      return { ok: true, result: await call(client) }
    } catch (error) {
      if (error instanceof BadArguments) return refuse('bad_request', error.message)
      const status = statusOf(error)
      if (status !== undefined)
        return refuse('host_error', `The chain API answered with status ${status}`, status)
      logger.error('A call of the World failed', error)
      return refuse('host_error', 'The page could not answer')
    } finally {
      inFlight -= 1
    }
  }
}

/** The response to a refused call. */
export function refuse(code: WorldRpcError['code'], message: string, status?: number): RpcOutcome {
  return { ok: false, error: { code, message, ...(status !== undefined && { status }) } }
}

/** The HTTP status that clients put on their errors. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined
  const { status } = error
  return Number.isInteger(status) && (status as number) >= 100 && (status as number) <= 599
    ? (status as number)
    : undefined
}
