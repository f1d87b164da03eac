import { randomUUID } from 'node:crypto'
import type { Context, Identity, Services } from '#lib/core/context/context.ts'
import { singleFlight } from '#lib/platform/cache/single-flight.ts'
import type { Release } from '#lib/platform/limits/fair-scheduler.ts'
import type { Reservation } from '#lib/platform/limits/memory-budget.ts'
import { requireNodeCalls } from '#lib/platform/limits/node-calls.ts'
import { type Principal, principalOf } from '#lib/platform/limits/principal.ts'
import type { LimitClass } from '#lib/platform/limits/rate-limits.ts'
import { forRequest } from '#lib/platform/telemetry/request-scope.ts'
import { describeRequest, type OpenSpan, traced, tracing } from '#lib/platform/telemetry/tracing.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { overloaded } from '#lib/protocol/overload.ts'
import { clientKey } from './client-address.ts'
import { acceptsGzip, negotiate, notModified } from './content-negotiation.ts'
import { allowedMethods, allowOrigin, describeAccess } from './cors.ts'
import { ERROR_STATUS, type ErrorFormat, errorResponse, problemOf } from './errors.ts'
import { logFailure } from './log-failure.ts'
import { type ErasedInput, isShareable, type Method, type Operation, requiresIdentity } from './operation.ts'
import { readInput, readParams } from './read-input.ts'
import type { ApiRequest } from './request.ts'
import { type ApiResponse, responseOf, withoutBody } from './response.ts'
import { createRouter, type RouteMatch } from './router.ts'
import { fromWebRequest, toWebResponse } from './web-adapter.ts'

export interface DispatcherOptions {
  /** Path prefix of the API, for instance `/chain`. */
  readonly base: string
  readonly services: () => Promise<Services>
  readonly errors: ErrorFormat
  /**
   * Returns the account behind a request.
   *
   * @throws {Failure} `unauthenticated` when the request proves none.
   */
  readonly authenticate: (request: ApiRequest, services: Services) => Promise<Identity>
  /** Runs before anything of a request is read. @throws {Failure} to refuse the request. */
  readonly admit?: (request: ApiRequest, services: Services) => void
  /** Check every success against its schema and turn a mismatch into a 500. For tests. */
  readonly validateResponses?: boolean
  /** Called once for every response. */
  readonly observe?: (completed: CompletedRequest) => void
}

export interface CompletedRequest {
  readonly method: string
  /** The documented pattern; undefined when no route matched. */
  readonly path: string | undefined
  readonly operationId: string | undefined
  readonly status: number
  readonly milliseconds: number
  readonly requestId: string
  /** The defect behind a 500, never shown to the client. */
  readonly error: unknown
}

/** An API as one function from request to response. Never rejects. */
export interface Dispatcher {
  (request: Request): Promise<Response>
  /** The same without the web's `Request` and `Response`. */
  readonly handle: (request: ApiRequest) => Promise<ApiResponse>
}

/**
 * Binds operations to requests. Never throws: every error becomes a documented response, and a defect a neutral 500
 * whose `X-Request-Id` leads to the log line.
 */
export function createDispatcher(operations: readonly Operation[], options: DispatcherOptions): Dispatcher {
  const { base, errors } = options
  const route = createRouter(operations)
  const shared = singleFlight<ApiResponse>()
  const match = (pathname: string, method: Method): RouteMatch | undefined => {
    if (!pathname.startsWith(`${base}/`)) return undefined
    const path = pathname.slice(base.length)
    const matched = route(path)
    if (matched !== undefined || !path.endsWith('/')) return matched
    // Not a redirect: one may not answer a preflight, and not every client repeats a POST after one.
    const bare = route(path.slice(0, -1))
    const operation = bare?.route.operations.get(method)
    return operation !== undefined && operation.restParam === undefined ? bare : undefined
  }

  const answer = async (
    request: ApiRequest,
    requestId: string,
    matched: RouteMatch | undefined,
    operation: Operation | undefined,
  ): Promise<ApiResponse> => {
    if (matched === undefined) {
      const message = 'There is nothing at this path'
      return errorResponse({ code: 'unknown_path', message }, undefined, errors)
    }
    if (request.method === 'OPTIONS') return { status: 204, headers: new Map(), body: null }
    if (operation === undefined) {
      const message = 'This path has no such method'
      const refusal = errorResponse({ code: 'method_not_allowed', message }, undefined, errors)
      refusal.headers.set('allow', allowedMethods(matched.route))
      return refusal
    }
    const response = await run(operation, matched, { request, requestId, shared, options })
    requireReserved(response, request)
    return response
  }

  const complete = async (request: ApiRequest, span: OpenSpan | undefined): Promise<ApiResponse> => {
    const started = performance.now()
    const requestId = randomUUID()
    const { method, pathname } = request
    const preflighted = method === 'OPTIONS' && request.headers.get('access-control-request-method')
    const matched = match(pathname, (preflighted || method) as Method)
    const operation = matched?.route.operations.get(method as Method)

    let defect: unknown
    let response: ApiResponse
    try {
      response = await answer(request, requestId, matched, operation)
    } catch (error) {
      const problem = problemOf(error, request.signal, operation)
      if (ERROR_STATUS[problem.code] === 500) defect = error
      await logFailure(error, problem, { requestId, method, path: pathname }, () =>
        options.services().then((services) => services.log),
      )
      response = errorResponse(problem, operation, errors)
    }

    const { headers } = response
    headers.set('x-request-id', requestId)
    headers.set('x-content-type-options', 'nosniff')
    describeAccess(headers, matched?.route, operation)
    await allowOrigin(headers, request, matched?.route, operation, () =>
      options.services().then(
        ({ config }) => config.allowedOrigins,
        () => [],
      ),
    )
    if (method === 'HEAD') response = withoutBody(response, operation)
    if (span !== undefined) {
      const route = matched && `${base}${matched.route.path}`
      describeRequest(span, { method, route, status: response.status, requestId, defect })
    }
    options.observe?.({
      method,
      path: matched?.route.path,
      operationId: operation?.id,
      status: response.status,
      milliseconds: performance.now() - started,
      requestId,
      error: defect,
    })
    return response
  }

  const handle = (request: ApiRequest): Promise<ApiResponse> =>
    traced(
      () => ({ name: 'request', kind: 'server', root: true, parent: request.headers.get('traceparent') }),
      (span) => complete(request, span),
    )
  const dispatch = async (request: Request) => toWebResponse(await handle(fromWebRequest(request)))
  return Object.assign(dispatch, { handle })
}

interface Call {
  readonly request: ApiRequest
  readonly requestId: string
  readonly shared: ReturnType<typeof singleFlight<ApiResponse>>
  readonly options: DispatcherOptions
}

async function run(operation: Operation, match: RouteMatch, call: Call): Promise<ApiResponse> {
  const { request, options } = call
  const services = await options.services()
  const { rateLimiter, places, memory } = services
  options.admit?.(request, services)
  const client = clientKey(request, services.config.trustedProxies)
  if (operation.limit !== undefined) await rateLimiter.take(operation.limit, client)
  operation.precheck?.(services)
  const params = readParams(operation, match)
  const identity =
    operation.auth === 'none'
      ? undefined
      : await places.requests.run(
          () => identityOf(operation, request, services, options),
          principalOf(client),
        )
  const principal = principalOf(client, identity)
  if (operation.limit !== undefined) {
    await rateLimiter.take(operation.limit, identity?.address)
    if (CALLS_NODES.includes(operation.limit))
      requireNodeCalls(services.ledger, principal, services.config.node?.perSecond)
  }
  const reservation = memory.reserve(principal, 'uploads')
  try {
    // Receiving a body takes memory, but no place among those in work: its client may be slow.
    const receive = () => readInput(operation, params, withinBudget(reservation, request))
    const input = await (request.body === null ? receive() : places.bodies.run(receive, principal))
    const leavePlace = await places.requests.acquire(principal)
    try {
      return await respond(operation, input, { ...call, services, identity, client, principal, leavePlace })
    } finally {
      leavePlace()
    }
  } finally {
    reservation.release()
  }
}

/** @throws Failure('unauthenticated') where the operation requires an identity and the request proves none. */
async function identityOf(
  operation: Operation,
  request: ApiRequest,
  services: Services,
  { authenticate }: DispatcherOptions,
): Promise<Identity | undefined> {
  try {
    return await authenticate(request, services)
  } catch (error) {
    const unknown = error instanceof Failure && error.code === 'unauthenticated'
    if (unknown && !requiresIdentity(operation)) return undefined
    throw error
  }
}

/** Classes of requests that mostly need a node. */
const CALLS_NODES: readonly LimitClass[] = ['run', 'create', 'publish']

interface AdmittedCall extends Call {
  readonly services: Services
  readonly identity: Identity | undefined
  readonly client: string | undefined
  readonly principal: Principal | undefined
  readonly leavePlace: Release
}

/** Runs the handler once for all concurrent clients of the same shareable response. */
async function respond(operation: Operation, input: ErasedInput, call: AdmittedCall): Promise<ApiResponse> {
  const { request, shared } = call
  const acceptEncoding = request.headers.get('accept-encoding')
  const ifNoneMatch = request.headers.get('if-none-match')
  if (!isShareable(operation)) {
    const response = await perform(operation, input, request.signal, call)
    return negotiate(response, operation, { acceptEncoding, ifNoneMatch })
  }
  const key = `${acceptsGzip(acceptEncoding)} ${request.pathname}${request.search}`
  const response = await shared(key, async () => {
    // A client that leaves must not abort the work that others wait for.
    const whole = await perform(operation, input, NEVER, call)
    return negotiate(whole, operation, { acceptEncoding, ifNoneMatch: null })
  })
  const copy = { ...response, headers: new Map(response.headers) }
  return notModified(copy, ifNoneMatch) ?? copy
}

const NEVER = new AbortController().signal

async function perform(
  operation: Operation,
  input: ErasedInput,
  signal: AbortSignal,
  { requestId, services, identity, client, principal, leavePlace, options }: AdmittedCall,
): Promise<ApiResponse> {
  const traceId = tracing()?.traceId()
  const scope = { requestId, operation: operation.id, ...(traceId !== undefined && { traceId }) }
  let log: Context['log'] | undefined
  const ctx: Context = {
    ...services,
    // Few requests log.
    get log() {
      log ??= services.log.child(scope)
      return log
    },
    requestId,
    caller: identity?.address,
    session: identity?.session,
    signal,
    client,
    principal,
  }
  const reply = await forRequest({ ...scope, client, principal, leavePlace }, () =>
    traced(
      () => ({ name: operation.id }),
      () => operation.handler(ctx, input),
    ),
  )
  return responseOf(operation, reply, options.validateResponses === true)
}

/** @throws Failure('overloaded') when unread responses already take all the memory that they may. */
function requireReserved({ body }: ApiResponse, { method, reserve }: ApiRequest): void {
  if (method === 'HEAD' || body === null || body instanceof ReadableStream || reserve === undefined) return
  if (!reserve(Buffer.byteLength(body))) throw overloaded('largeAnswers')
}

/** The request, whose body counts against the upload budget as it is read. */
function withinBudget(reservation: Reservation, request: ApiRequest): ApiRequest {
  const { body } = request
  if (body === null) return request
  const read = async () => {
    const chunk = await body.read()
    try {
      if (chunk !== undefined) reservation.add(chunk.byteLength)
    } catch (error) {
      body.stop()
      throw error
    }
    return chunk
  }
  return { ...request, body: { read, stop: body.stop } }
}
