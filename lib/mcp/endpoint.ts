import { createMcpHandler } from '@modelcontextprotocol/server'
import { authenticateChain } from '../api/chain/authenticate.ts'
import { ConfigError } from '../config.ts'
import type { Services } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import { readText } from '../http/body.ts'
import { clientKey } from '../http/client-address.ts'
import { connections } from '../http/connection.ts'
import { createDispatcher, type DispatcherOptions } from '../http/dispatch.ts'
import { chainErrors } from '../http/errors.ts'
import { readJson } from '../http/json.ts'
import { fromWeb } from '../http/web.ts'
import { createMcpServer } from './server.ts'
import { TOOLS_BASE } from './tool-request.ts'
import { TOOLS } from './tools.ts'

/** The largest body of an operation, and what the protocol puts around it. */
const MAX_BODY_BYTES = 1024 * 1024 + 64 * 1024

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id'

/**
 * The Model Context Protocol over HTTP: tools that are operations of the chain API, and the documentation as resources.
 * Keeps nothing between requests, so that any instance answers any of them. Never throws.
 */
export function createMcpEndpoint(
  options: Pick<DispatcherOptions, 'services' | 'validateResponses' | 'observe'>,
): (request: Request) => Promise<Response> {
  const operations = TOOLS.map(({ operation }) => operation)
  const dispatch = createDispatcher(operations, {
    base: TOOLS_BASE,
    errors: chainErrors,
    authenticate: authenticateChain,
    ...options,
  })
  const handler = createMcpHandler(
    async (context) => {
      const { config } = await options.services()
      return createMcpServer(dispatch, config.siteOrigin, context)
    },
    // Nothing that could be subscribed to ever changes.
    { maxSubscriptions: 0, maxRequestBodySize: MAX_BODY_BYTES },
  )

  return async (request) => {
    let services: Services
    try {
      services = await options.services()
    } catch (error) {
      console.error(error instanceof ConfigError ? error.message : error)
      return problem(503, -32603, 'The server is not configured; its log says what is missing')
    }
    const origin = request.headers.get('origin')
    if (origin !== null && !isAllowed(origin, services)) {
      return problem(403, -32600, 'Pages of this origin may not connect: add it to ALLOWED_ORIGINS')
    }
    const response = await answer(request, handler.fetch, services)
    if (origin !== null) allow(response, origin)
    response.headers.set('Cache-Control', 'no-store')
    response.headers.set('X-Content-Type-Options', 'nosniff')
    return response
  }
}

async function answer(
  request: Request,
  serve: (request: Request, options?: { parsedBody?: unknown }) => Promise<Response>,
  { config, limiter, log }: Services,
): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(null, { status: 204 })
  if (request.method !== 'POST') {
    const refusal = problem(
      405,
      -32000,
      'Send messages by POST: this server keeps no sessions and pushes nothing',
    )
    refusal.headers.set('Allow', 'POST, OPTIONS')
    return refusal
  }
  try {
    const client = clientKey(
      { peer: connections().getStore()?.remoteAddress, headers: request.headers },
      config.trustedProxies,
    )
    await limiter.take('agent', client)
    const message = readJson(await readText(fromWeb(request), MAX_BODY_BYTES))
    if (Array.isArray(message))
      return problem(400, -32600, 'Send one message a request; batches are not supported')
    return await serve(request, { parsedBody: message })
  } catch (error) {
    if (error instanceof Failure) {
      const status = chainErrors.status[error.code]
      if (error.code === 'too_many') return tooMany(error)
      return problem(status, status === 413 ? -32600 : -32700, error.message)
    }
    log.error({ err: error, path: TOOLS_BASE }, 'request failed')
    return problem(500, -32603, 'Something went wrong on our side')
  }
}

/**
 * Whether a page may talk to this server. Programs send no origin. The `Host` header is no evidence: a name that was led
 * to this address (DNS rebinding) brings a page whose origin agrees with it.
 */
function isAllowed(origin: string, { config }: Services): boolean {
  return origin === config.siteOrigin || config.allowedOrigins.includes(origin)
}

function allow({ headers }: Response, origin: string): void {
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set('Access-Control-Allow-Methods', 'POST, OPTIONS')
  headers.set('Access-Control-Allow-Headers', ALLOWED_HEADERS)
  headers.set('Access-Control-Max-Age', '600')
  headers.append('Vary', 'Origin')
}

function tooMany({ message, details }: Failure): Response {
  const refusal = problem(429, -32000, message)
  refusal.headers.set('Retry-After', String(Math.ceil(details.retryAfterSeconds ?? 1)))
  return refusal
}

/** A refusal as the protocol writes it, where no message can be answered. */
function problem(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
