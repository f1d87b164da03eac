import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Services } from '#lib/core/context/context.ts'
import type { Config } from '#lib/platform/config.ts'
import { requireNodeCalls } from '#lib/platform/limits/node-calls.ts'
import { principalOf } from '#lib/platform/limits/principal.ts'
import { forRequest, type RequestScope } from '#lib/platform/telemetry/request-scope.ts'
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
/** Milliseconds after which it is looked whether a page waits for nothing but its reader. */
const READER_MS = 250

const UNTRUSTED_PROXY =
  'Requests come through a proxy on this machine, which is not trusted: no client is limited by address. Set TRUSTED_PROXIES=1.'

/**
 * Bounds the requests to Next, as the dispatchers bound those to the APIs.
 *
 * @param bodyMs How long a body may take.
 * @returns Handles a request of this path by `serve`, or refuses it.
 */
export function createPageLimits(
  { trustedProxies, node }: Pick<Config, 'trustedProxies'> & Partial<Pick<Config, 'node'>>,
  services: () => Promise<Pick<Services, 'rateLimiter' | 'places' | 'ledger'>>,
  bodyMs = BODY_MS,
) {
  let warned = false

  const bounded = async (
    path: string,
    request: IncomingMessage,
    { scope, signal, response }: BoundedRequest,
    serve: () => Promise<void>,
  ): Promise<void> => {
    const { rateLimiter, places, ledger } = await services()
    requireNodeCalls(ledger, scope.principal, node?.perSecond)
    if (SEARCHES.test(path) && scope.client !== undefined) await rateLimiter.take('search', scope.client)
    const hasBody = carriesBody(request)
    if (hasBody && !LIMITS_BODIES_ITSELF.includes(path) && lengthOf(request) > LONGEST_BODY)
      throw new Failure('payload_too_large', `Send at most ${LONGEST_BODY} bytes, and say how many`)
    // A place is held while the body arrives: slow ones must not have those of pages.
    const leavePlace = await (hasBody ? places.requests : places.renders).acquire(scope.principal, signal)
    const leaving = setInterval(() => {
      if (response.writableEnded || response.writableNeedDrain) leavePlace()
    }, READER_MS).unref()
    try {
      if (hasBody) endLongBody(request, bodyMs)
      await forRequest({ ...scope, leavePlace }, serve)
    } finally {
      clearInterval(leaving)
      leavePlace()
    }
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
    const controller = new AbortController()
    response.once('close', () => controller.abort())
    try {
      const scope = { requestId: randomUUID(), operation: 'page', client, principal: principalOf(client) }
      await bounded(path, request, { scope, signal: controller.signal, response }, serve)
    } catch (error) {
      if (controller.signal.aborted) return
      if (!(error instanceof Failure) || response.headersSent) throw error
      refuse(error, path, response)
    }
  }
}

interface BoundedRequest {
  readonly scope: RequestScope
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal
  readonly response: ServerResponse
}

/** Infinite when it is not announced. */
function lengthOf({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'])
    : Number.POSITIVE_INFINITY
}

function endLongBody(request: IncomingMessage, ms: number): void {
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
