import { addVary } from './content-negotiation.ts'
import { type Method, type Operation, revalidates } from './operation.ts'
import type { ApiRequest } from './request.ts'
import type { Route } from './router.ts'

/** Headers that pages of other origins may send, where an API names no others. */
const ALLOWED_HEADERS = 'Authorization, Content-Type, If-None-Match, Last-Event-ID, Range'

/** Sets the headers that a page of another origin may read and, for a preflight, the methods and headers it may send. */
export function describeAccess(
  headers: Map<string, string>,
  route: Route | undefined,
  operation: Operation | undefined,
  allowedHeaders = ALLOWED_HEADERS,
): void {
  if (corsOf(operation, route) === 'none') return
  headers.set('access-control-expose-headers', exposedHeaders(operation))
  if (route !== undefined && operation === undefined && takesPreflights(route)) {
    headers.set('access-control-allow-methods', allowedMethods(route))
    headers.set('access-control-allow-headers', allowedHeaders)
    headers.set('access-control-max-age', '600')
  }
}

const exposed = new WeakMap<Operation, string>()

/** Names of the headers that pages of other origins may read, for `Access-Control-Expose-Headers`. */
export function exposedHeaders(operation: Operation | undefined): string {
  const cachedHeaders = operation && exposed.get(operation)
  if (cachedHeaders !== undefined) return cachedHeaders
  const names = new Set(['X-Request-Id', 'X-Error-Code', 'Retry-After'])
  for (const { headers } of Object.values(operation?.responses ?? {})) {
    for (const name in headers) names.add(name)
  }
  if (operation !== undefined && revalidates(operation)) names.add('ETag')
  const list = [...names].join(', ')
  if (operation !== undefined) exposed.set(operation, list)
  return list
}

export function allowedMethods(route: Route): string {
  return [...route.operations.keys(), ...(takesPreflights(route) ? ['OPTIONS'] : [])].join(', ')
}

/** Whether pages of other origins may ask what they may send to a path. */
export function takesPreflights(route: Route): boolean {
  const cors = corsOf(undefined, route)
  return cors !== 'none' && cors !== 'simple'
}

/** The stated `cors` of an operation, or of those of a path. */
function corsOf(operation: Operation | undefined, route: Route | undefined): Operation['cors'] {
  const [first] = route?.operations.values() ?? []
  return (operation ?? first)?.cors
}

/**
 * Allows every origin to read what is public, and the configured origins what belongs to a session.
 *
 * @param allowedOrigins Called only where the origin matters.
 */
export async function allowOrigin(
  headers: Map<string, string>,
  request: ApiRequest,
  route: Route | undefined,
  operation: Operation | undefined,
  allowedOrigins: () => Promise<readonly string[]>,
): Promise<void> {
  const requested =
    operation ?? route?.operations.get(request.headers.get('access-control-request-method') as Method)
  if (corsOf(requested, route) === 'none') return
  if (requested === undefined || !isForSessions(requested)) {
    headers.set('access-control-allow-origin', '*')
    return
  }
  addVary(headers, 'Origin')
  const origin = request.headers.get('origin')
  if (origin === null) return
  if ((await allowedOrigins()).includes(origin)) headers.set('access-control-allow-origin', origin)
}

function isForSessions(operation: Operation): boolean {
  return (operation.cors ?? (operation.auth === 'session' ? 'session' : 'public')) === 'session'
}
