import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../lib/config.ts'
import type { Services } from '../../lib/context.ts'
import { Failure } from '../../lib/domain/failure.ts'
import { clientKey, peers } from '../../lib/http/client-address.ts'
import { createWorkGate } from '../../lib/limits/gate.ts'

/** Hardly any work, or how it is found out that there is too much of it. */
const FREE = /^\/(?:_next\/static\/.*|icon\.svg|healthz|readyz|metrics|status|status\.json)$/
const SEARCHES = /^\/search(?:\/|$)/

const UNTRUSTED_PROXY =
  'Requests come through a proxy on this machine, which is not trusted: nobody is limited by address. Set TRUSTED_PROXIES=1.'

/**
 * Bounds what is asked of Next, as the dispatchers bound the APIs, and tells its handlers who asks.
 *
 * @returns What answers a request of this path by `serve`, or turns it away.
 */
export function createPageLimits(
  { trustedProxies, maxInWork }: Pick<Config, 'trustedProxies' | 'maxInWork'>,
  services: () => Promise<Pick<Services, 'limiter'>>,
) {
  const gate = createWorkGate(maxInWork)
  let warned = false

  const bounded = async (
    path: string,
    client: string | undefined,
    serve: () => Promise<void>,
  ): Promise<void> => {
    if (SEARCHES.test(path) && client !== undefined) await (await services()).limiter.take('search', client)
    return gate.pass(serve, client)
  }

  return async (
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    serve: () => Promise<void>,
  ): Promise<void> => {
    const peer = request.socket.remoteAddress
    const serveFor = () => peers().run(peer, serve)
    if (FREE.test(path)) return serveFor()
    const forwarded = request.headersDistinct['x-forwarded-for']?.join(',') ?? null
    const client = clientKey({ peer, headers: { get: () => forwarded } }, trustedProxies)
    if (!warned && trustedProxies === 0 && forwarded !== null && client === undefined) {
      warned = true
      console.warn(UNTRUSTED_PROXY)
    }
    try {
      await bounded(path, client, serveFor)
    } catch (error) {
      if (!(error instanceof Failure) || response.headersSent) throw error
      turnAway(error, path, response)
    }
  }
}

function turnAway({ code, message, details }: Failure, path: string, response: ServerResponse): void {
  const json = path.startsWith('/session')
  response.writeHead(code === 'too_many' ? 429 : 503, {
    'Content-Type': json ? 'application/json' : 'text/plain; charset=utf-8',
    'Retry-After': String(Math.ceil(details.retryAfterSeconds ?? 1)),
    'Cache-Control': 'no-store',
  })
  response.end(json ? JSON.stringify({ message }) : `${message}\n`)
}
