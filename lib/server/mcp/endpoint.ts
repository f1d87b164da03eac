import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Identity, Services } from '#lib/core/context/context.ts'
import { ConfigError } from '#lib/platform/config.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { readText, requirePlainCoding, UnsupportedMediaType } from '../http/body.ts'
import { createDispatcher, type DispatcherOptions } from '../http/dispatch.ts'
import { chainErrors, ERROR_STATUS } from '../http/errors.ts'
import { readJson } from '../http/json.ts'
import type { ApiRequest } from '../http/request.ts'
import { clientOf, fromWebRequest } from '../http/web-adapter.ts'
import { authenticateAgent, authenticateChain } from '../operations/authenticate.ts'
import { authInfoOf } from './account.ts'
import { createMcpServer } from './server.ts'
import { TOOLS_BASE } from './tool-request.ts'
import { TOOLS } from './tools.ts'

/** The largest body of an operation, and what the protocol puts around it. */
const MAX_BODY_BYTES = 1024 * 1024 + 64 * 1024

/** The one revision with batches. */
const BATCH_REVISION = '2025-03-26'
const MAX_BATCH = 20

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id'

/**
 * The Model Context Protocol over HTTP: tools that are operations of the chain API, and the documentation as resources.
 * Stateless, so that any instance can answer any request. Never throws.
 *
 * @param options `forAccount` answers only applications that an account connected, and acts for it.
 */
export function createMcpEndpoint(
  options: Pick<DispatcherOptions, 'services' | 'validateResponses' | 'observe'> & {
    readonly forAccount?: boolean
  },
): (request: Request) => Promise<Response> {
  const { forAccount = false } = options
  const operations = TOOLS.map(({ operation }) => operation)
  const dispatch = createDispatcher(operations, {
    base: TOOLS_BASE,
    errors: chainErrors,
    authenticate: forAccount ? provedBefore : authenticateChain,
    ...options,
  })
  const serverFor = async (context: McpRequestContext) =>
    createMcpServer(dispatch, (await options.services()).config.siteOrigin, context, forAccount)
  const modern = createMcpHandler(serverFor, {
    legacy: 'reject',
    // Nothing that could be subscribed to ever changes.
    maxSubscriptions: 0,
    maxRequestBodySize: MAX_BODY_BYTES,
  })
  const serve: Serve = async (request, options) =>
    (await isLegacyRequest(request, options.parsedBody))
      ? serveLegacy(await serverFor({ era: 'legacy', requestInfo: request }), request, options)
      : modern.fetch(request, options)

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
    const account = forAccount && request.method === 'POST' ? await accountOf(request, services) : undefined
    const response = account instanceof Response ? account : await answer(request, serve, services, account)
    if (origin !== null) allow(response, origin)
    // Not compressed either: what comes back may hold a token.
    response.headers.set('Cache-Control', 'no-store, no-transform')
    response.headers.set('X-Content-Type-Options', 'nosniff')
    return response
  }
}

/** The account that connected the application, or a 401 that leads clients to the sign-in. */
async function accountOf(request: Request, services: Services): Promise<Identity | Response> {
  try {
    return await authenticateAgent(request, services)
  } catch (error) {
    if (!(error instanceof Failure)) {
      services.log.error({ err: error, path: TOOLS_BASE }, 'request failed')
      return problem(503, -32603, 'The account cannot be checked right now')
    }
    const refusal = problem(401, -32001, error.message)
    const metadata = `${services.config.siteOrigin}/.well-known/oauth-protected-resource/mcp/account`
    const invalid = request.headers.has('authorization') ? ', error="invalid_token"' : ''
    refusal.headers.set('WWW-Authenticate', `Bearer resource_metadata="${metadata}"${invalid}`)
    return refusal
  }
}

/** @throws {Failure} `unauthenticated` for a call that the endpoint proved no account of. */
async function provedBefore({ identity }: ApiRequest): Promise<Identity> {
  if (identity === undefined) throw new Failure('unauthenticated', 'This connection acts for no account')
  return identity
}

interface ServeOptions {
  readonly parsedBody: unknown
  readonly authInfo?: AuthInfo
}

type Serve = (request: Request, options: ServeOptions) => Promise<Response>

/** Serves the revisions of 2025 without a session. A batch is answered by an array, also one of a single request. */
async function serveLegacy(
  server: McpServer,
  request: Request,
  { parsedBody: rawBody, ...options }: ServeOptions,
): Promise<Response> {
  // A request that is cancelled beside it would never be answered, and the batch with it.
  const parsedBody = Array.isArray(rawBody) ? rawBody.filter((message) => !isCancellation(message)) : rawBody
  if (isEmpty(parsedBody) && !isEmpty(rawBody)) return new Response(null, { status: 202 })
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: MAX_BODY_BYTES,
  })
  try {
    await server.connect(transport)
    const response = await Promise.race([
      transport.handleRequest(request, { ...options, parsedBody }),
      disconnection(request.signal),
    ])
    if (!Array.isArray(parsedBody) || response.status !== 200) return response
    const body: unknown = await response.json()
    return Response.json(Array.isArray(body) ? body : [body])
  } finally {
    await server.close()
  }
}

function isEmpty(batch: unknown): boolean {
  return Array.isArray(batch) && batch.length === 0
}

function isCancellation(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === 'notifications/cancelled'
}

/** Settles when the client leaves: its request may never be answered, but must end. */
function disconnection(signal: AbortSignal): Promise<Response> {
  const gone = new Response(null, { status: 499 })
  return new Promise((resolve) => {
    if (signal.aborted) resolve(gone)
    signal.addEventListener('abort', () => resolve(gone), { once: true })
  })
}

async function answer(
  request: Request,
  serve: Serve,
  { config, rateLimiter, log }: Services,
  account: Identity | undefined,
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
    const client = clientOf(request, config.trustedProxies)
    await rateLimiter.take('agent', client)
    requirePlainCoding(request.headers.get('content-encoding'))
    const message = readJson(await readText(fromWebRequest(request), MAX_BODY_BYTES))
    if (Array.isArray(message)) {
      const refusal = batchProblem(message, request.headers.get('mcp-protocol-version'))
      if (refusal !== undefined) return problem(400, -32600, refusal)
      // Each message is worked on like one that comes alone.
      for (const _ of message.slice(1)) await rateLimiter.take('agent', client)
    }
    const options = account === undefined ? {} : { authInfo: authInfoOf(account) }
    return await serve(takingBothTypes(request), { parsedBody: message, ...options })
  } catch (error) {
    if (error instanceof UnsupportedMediaType) return problem(415, -32600, error.message)
    if (error instanceof Failure) {
      const status = ERROR_STATUS[error.code]
      if (error.code === 'too_many') return tooMany(error)
      return problem(status, status === 413 ? -32600 : -32700, error.message)
    }
    log.error({ err: error, path: TOOLS_BASE }, 'request failed')
    return problem(500, -32603, 'Something went wrong on our side')
  }
}

/** Fault of a batch. The revision of 2025-03-26 alone has them; its clients name no revision in a header. */
function batchProblem(messages: readonly unknown[], version: string | null): string | undefined {
  if (version !== null && version !== BATCH_REVISION)
    return `Send one message a request: revision ${version} has no batches`
  return messages.length > MAX_BATCH ? `Send at most ${MAX_BATCH} messages in a batch` : undefined
}

/**
 * The request as one that accepts both types of answers, which the library requires to be named: clients that take
 * anything, or send no `Accept`, get JSON.
 */
function takingBothTypes(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('Accept', 'application/json, text/event-stream')
  return new Request(request.url, { method: 'POST', headers, signal: request.signal })
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
  headers.set('Access-Control-Expose-Headers', 'WWW-Authenticate')
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
