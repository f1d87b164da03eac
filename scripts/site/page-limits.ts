import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Services } from '#lib/core/context/context.ts'
import type { Config } from '#lib/platform/config.ts'
import { principalOf } from '#lib/platform/limits/principal.ts'
import { createWorkLimiter } from '#lib/platform/limits/work-limiter.ts'
import { forRequest } from '#lib/platform/telemetry/request-scope.ts'
import { Failure, type FailureCode } from '#lib/protocol/failure.ts'
import { clientKey } from '#lib/server/http/client-address.ts'
import { carriesBody } from '#lib/server/http/node-request.ts'

/** Hardly any work, or needed to diagnose overload. */
const FREE = /^\/(?:_next\/static\/.*|icon\.svg|healthz|readyz|metrics|status|status\.json)$/
const SEARCHES = /^\/search(?:\/|$)/

/** Bytes of a body for a handler behind Next; Next itself would buffer ten megabytes of each. */
const LONGEST_BODY = 64 * 1024
/** Its handler limits its bodies itself. */
const LIMITS_BODIES_ITSELF = ['/mcp', '/mcp/account']
/** Milliseconds that a body for a handler behind Next may take: 1 MiB at half a megabit a second. */
const BODY_MS = 20_000

const UNTRUSTED_PROXY =
  'Requests come through a proxy on this machine, which is not trusted: no client is limited by address. Set TRUSTED_PROXIES=1.'

/**
 * Bounds the requests to Next, as the dispatchers bound those to the APIs.
 *
 * @param bodyMs How long a body may take.
 * @returns Handles a request of this path by `serve`, or refuses it.
 */
export function createPageLimits(
  { trustedProxies, maxInWork }: Pick<Config, 'trustedProxies' | 'maxInWork'>,
  services: () => Promise<Pick<Services, 'rateLimiter'>>,
  bodyMs = BODY_MS,
) {
  const pages = createWorkLimiter(maxInWork)
  // A slot is held while the body arrives, so that slow uploads need slots of their own.
  const uploads = createWorkLimiter(maxInWork)
  let warned = false

  const bounded = async (
    path: string,
    request: IncomingMessage,
    client: string | undefined,
    serve: () => Promise<void>,
  ): Promise<void> => {
    if (SEARCHES.test(path) && client !== undefined)
      await (await services()).rateLimiter.take('search', client)
    if (!carriesBody(request)) return pages.run(serve, client)
    if (!LIMITS_BODIES_ITSELF.includes(path) && lengthOf(request) > LONGEST_BODY)
      throw new Failure('payload_too_large', `Send at most ${LONGEST_BODY} bytes, and say how many`)
    return uploads.run(() => {
      endSlowBody(request, bodyMs)
      return serve()
    }, client)
  }

  return async (
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    serve: () => Promise<void>,
  ): Promise<void> => {
    if (FREE.test(path)) return serve()
    const forwarded = request.headersDistinct['x-forwarded-for']?.join(',') ?? null
    const peer = request.socket.remoteAddress
    const client = clientKey({ peer, headers: { get: () => forwarded } }, trustedProxies)
    if (!warned && trustedProxies === 0 && forwarded !== null && client === undefined) {
      warned = true
      console.warn(UNTRUSTED_PROXY)
    }
    try {
      const scope = { requestId: randomUUID(), operation: 'page', client, principal: principalOf(client) }
      await bounded(path, request, client, () => forRequest(scope, serve))
    } catch (error) {
      if (!(error instanceof Failure) || response.headersSent) throw error
      refuse(error, path, response)
    }
  }
}

/** Infinite when it is not announced. */
function lengthOf({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'])
    : Number.POSITIVE_INFINITY
}

function endSlowBody(request: IncomingMessage, ms: number): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy()
  }, ms).unref()
  request.once('close', () => clearTimeout(timer))
}

const STATUS: Partial<Record<FailureCode, number>> = { too_many: 429, payload_too_large: 413 }

function refuse({ code, message, details }: Failure, path: string, response: ServerResponse): void {
  const json = path.startsWith('/session')
  if (code !== 'payload_too_large')
    response.setHeader('Retry-After', String(Math.ceil(details.retryAfterSeconds ?? 1)))
  response.writeHead(STATUS[code] ?? 503, {
    'Content-Type': json ? 'application/json' : 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  })
  response.end(json ? JSON.stringify({ message }) : `${message}\n`)
}
