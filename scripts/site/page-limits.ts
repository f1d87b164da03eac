import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../lib/config.ts'
import type { Services } from '../../lib/context.ts'
import { Failure, type FailureCode } from '../../lib/domain/failure.ts'
import { clientKey } from '../../lib/http/client-address.ts'
import { carriesBody, endUpload } from '../../lib/http/node-request.ts'
import { createWorkGate } from '../../lib/limits/gate.ts'
import { forRequest } from '../../lib/telemetry/request-scope.ts'

/** Hardly any work, or how it is found out that there is too much of it. */
const FREE = /^\/(?:_next\/static\/.*|icon\.svg|healthz|readyz|metrics|status|status\.json)$/
const SEARCHES = /^\/search(?:\/|$)/

/** Bytes of a body for a handler behind Next; Next itself would keep ten megabytes of each. */
const LONGEST_BODY = 64 * 1024
/** Its handler counts what comes, and says what was too long in its own words. */
const COUNTS_ITSELF = '/mcp'
/** Milliseconds that a body for a handler behind Next may take: 1 MiB at half a megabit a second. */
const BODY_MS = 20_000

const UNTRUSTED_PROXY =
  'Requests come through a proxy on this machine, which is not trusted: nobody is limited by address. Set TRUSTED_PROXIES=1.'

/**
 * Bounds what is asked of Next, as the dispatchers bound the APIs.
 *
 * @param bodyMs How long a body may take.
 * @returns What answers a request of this path by `serve`, or turns it away.
 */
export function createPageLimits(
  { trustedProxies, maxInWork }: Pick<Config, 'trustedProxies' | 'maxInWork'>,
  services: () => Promise<Pick<Services, 'limiter'>>,
  bodyMs = BODY_MS,
) {
  const gate = createWorkGate(maxInWork)
  // Bodies come inside, and whoever sends one slowly is not to have the place of a page.
  const bodies = createWorkGate(maxInWork)
  let warned = false

  const bounded = async (
    path: string,
    request: IncomingMessage,
    client: string | undefined,
    serve: () => Promise<void>,
  ): Promise<void> => {
    if (SEARCHES.test(path) && client !== undefined) await (await services()).limiter.take('search', client)
    if (!carriesBody(request)) return gate.pass(serve, client)
    if (path !== COUNTS_ITSELF && lengthOf(request) > LONGEST_BODY)
      throw new Failure('payload_too_large', `Send at most ${LONGEST_BODY} bytes, and say how many`)
    return bodies.pass(() => {
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
      const scope = { requestId: randomUUID(), operation: 'page', client }
      await bounded(path, request, client, () => forRequest(scope, serve))
    } catch (error) {
      if (!(error instanceof Failure) || response.headersSent) throw error
      turnAway(error, path, response)
      if (!request.complete) endUpload(request, response)
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

function turnAway({ code, message, details }: Failure, path: string, response: ServerResponse): void {
  const json = path.startsWith('/session')
  if (code !== 'payload_too_large')
    response.setHeader('Retry-After', String(Math.ceil(details.retryAfterSeconds ?? 1)))
  response.writeHead(STATUS[code] ?? 503, {
    'Content-Type': json ? 'application/json' : 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  })
  response.end(json ? JSON.stringify({ message }) : `${message}\n`)
}
