import type { Incoming } from './incoming.ts'
import { type Method, type Operation, revalidates } from './operation.ts'
import { addVary } from './represent.ts'
import type { Route } from './router.ts'

const ALLOWED_HEADERS = 'Authorization, Content-Type, If-None-Match, Last-Event-ID, Range'

/** What a browser may do with the answer and, of a path without the operation asked for, with the path. */
export function describeAccess(
  headers: Map<string, string>,
  route: Route | undefined,
  operation: Operation | undefined,
): void {
  headers.set('access-control-expose-headers', exposedHeaders(operation))
  if (route !== undefined && operation === undefined) {
    headers.set('access-control-allow-methods', allowedMethods(route))
    headers.set('access-control-allow-headers', ALLOWED_HEADERS)
    headers.set('access-control-max-age', '600')
  }
}

/** Names of the headers that pages of other origins may read, for `Access-Control-Expose-Headers`. */
export function exposedHeaders(operation: Operation | undefined): string {
  const names = new Set(['X-Request-Id', 'Retry-After'])
  for (const { headers } of Object.values(operation?.responses ?? {})) {
    for (const name in headers) names.add(name)
  }
  if (operation !== undefined && revalidates(operation)) names.add('ETag')
  return [...names].join(', ')
}

export function allowedMethods(route: Route): string {
  return [...route.operations.keys(), 'OPTIONS'].join(', ')
}

/**
 * Everybody may read what is public; what concerns a session only pages of the configured origins.
 *
 * @param allowedOrigins Asked for when it matters only.
 */
export async function allowOrigin(
  headers: Map<string, string>,
  request: Incoming,
  route: Route | undefined,
  operation: Operation | undefined,
  allowedOrigins: () => Promise<readonly string[]>,
): Promise<void> {
  const asked =
    operation ?? route?.operations.get(request.headers.get('access-control-request-method') as Method)
  if (asked === undefined || !isForSessions(asked)) {
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
