import { randomUUID } from 'node:crypto'
import type { Services } from '#lib/core/context/context.ts'
import { singleFlight } from '#lib/platform/cache/single-flight.ts'
import { describeRequest, type OpenSpan, traced } from '#lib/platform/telemetry/tracing.ts'
import { allowedMethods, allowOrigin, describeAccess, takesPreflights } from './cors.ts'
import { ERROR_STATUS, type ErrorFormat, errorResponse, type Problem, problemOf } from './errors.ts'
import { logFailure } from './log-failure.ts'
import type { Method, Operation } from './operation.ts'
import type { ApiRequest } from './request.ts'
import { type ApiResponse, withoutBody } from './response.ts'
import { createRouter, type RouteMatch } from './router.ts'
import { answerProbe, passStages, type ServingPolicy } from './stages.ts'
import { fromWebRequest, toWebResponse } from './web-adapter.ts'

export interface DispatcherOptions extends ServingPolicy {
  /** Path prefix of the API, for instance `/chain`; empty where operations state whole paths. */
  readonly base: string
  readonly services: () => Promise<Services>
  readonly errors: ErrorFormat
  /** Headers of every response that sets no others, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  /** `Access-Control-Allow-Headers` of the API, where it is not that of the others. */
  readonly allowedHeaders?: string
  /** Returns what serves a request in place of the operation it matched: of the same id, method and path. */
  readonly substitute?: (operation: Operation, services: Services) => Operation
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
  /**
   * The same without the web's `Request` and `Response`.
   *
   * @param match Route of the request, where another router has matched it.
   */
  readonly handle: (request: ApiRequest, match?: RouteMatch) => Promise<ApiResponse>
}

/**
 * Binds operations to requests. Never throws: every error becomes a documented response, and a defect a neutral 500
 * whose `X-Request-Id` leads to the log line.
 */
export function createDispatcher(operations: readonly Operation[], options: DispatcherOptions): Dispatcher {
  const api = new Api(operations, options)
  const handle = (request: ApiRequest, match?: RouteMatch) => api.serve(request, match)
  const dispatch = async (request: Request) => toWebResponse(await handle(fromWebRequest(request)))
  return Object.assign(dispatch, { handle })
}

/** A request with what is known of it before it is served. */
interface Received {
  readonly request: ApiRequest
  readonly requestId: string
  readonly match: RouteMatch | undefined
  /** Undefined for a preflight, and where the path has no such method. */
  readonly operation: Operation | undefined
}

class Api {
  readonly #options: DispatcherOptions
  readonly #route: (path: string) => RouteMatch | undefined
  readonly #shared = singleFlight<ApiResponse>()
  /** Whether no page of another origin may read anything of it, what it lacks included. */
  readonly #isClosed: boolean

  constructor(operations: readonly Operation[], options: DispatcherOptions) {
    this.#options = options
    this.#route = createRouter(operations)
    this.#isClosed = operations.length > 0 && operations.every(({ cors }) => cors === 'none')
  }

  serve(request: ApiRequest, match?: RouteMatch): Promise<ApiResponse> {
    return traced(
      () => ({ name: 'request', kind: 'server', root: true, parent: request.headers.get('traceparent') }),
      (span) => this.#complete(this.#receive(request, match), span),
    )
  }

  #receive(request: ApiRequest, matched: RouteMatch | undefined): Received {
    const { method, pathname, headers } = request
    const preflighted = method === 'OPTIONS' && headers.get('access-control-request-method')
    const match = matched ?? this.#match(pathname, (preflighted || method) as Method)
    const operation = match?.route.operations.get(method as Method)
    return { request, requestId: randomUUID(), match, operation }
  }

  #match(pathname: string, method: Method): RouteMatch | undefined {
    const { base } = this.#options
    if (!pathname.startsWith(`${base}/`)) return undefined
    const path = pathname.slice(base.length)
    const match = this.#route(path)
    if (match !== undefined || !path.endsWith('/')) return match
    // Not a redirect: one may not answer a preflight, and not every client repeats a POST after one.
    const bare = this.#route(path.slice(0, -1))
    const operation = bare?.route.operations.get(method)
    return operation !== undefined && operation.restParam === undefined ? bare : undefined
  }

  /** Adds to an answer, or to what it failed with, what every response carries. */
  async #complete(received: Received, span: OpenSpan | undefined): Promise<ApiResponse> {
    const started = performance.now()
    const { base, services, observe, allowedHeaders } = this.#options
    const { request, requestId, match, operation } = received
    const { method } = request
    let defect: unknown
    let response: ApiResponse
    try {
      response = await this.#answer(received)
    } catch (error) {
      const problem = problemOf(error, request.signal, operation)
      if (ERROR_STATUS[problem.code] === 500) defect = error
      await logFailure(error, problem, { requestId, method, path: request.pathname }, () =>
        services().then(({ log }) => log),
      )
      response = errorResponse(problem, operation, this.#options.errors, request)
    }
    const { headers } = response
    headers.set('x-request-id', requestId)
    headers.set('x-content-type-options', 'nosniff')
    for (const name in this.#options.headers) {
      if (!headers.has(name)) headers.set(name, this.#options.headers[name] as string)
    }
    if (!this.#isClosed) {
      describeAccess(headers, match?.route, operation, allowedHeaders)
      await allowOrigin(headers, request, match?.route, operation, () =>
        services().then(
          ({ config }) => config.allowedOrigins,
          () => [],
        ),
      )
    }
    if (method === 'HEAD') response = withoutBody(response, operation)
    const { status } = response
    if (span !== undefined) {
      const route = match && `${base}${match.route.path}`
      describeRequest(span, { method, route, status, requestId, defect })
    }
    observe?.({
      method,
      path: match?.route.path,
      operationId: operation?.id,
      status,
      milliseconds: performance.now() - started,
      requestId,
      error: defect,
    })
    return response
  }

  async #answer({ request, requestId, match, operation }: Received): Promise<ApiResponse> {
    if (match === undefined)
      return this.#refuse({ code: 'unknown_path', message: 'There is nothing at this path' }, request)
    if (operation === undefined) {
      if (request.method === 'OPTIONS' && takesPreflights(match.route))
        return { status: 204, headers: new Map(), body: null }
      const headers = { allow: allowedMethods(match.route) }
      const message = 'This path has no such method'
      return this.#refuse({ code: 'method_not_allowed', message, headers }, request)
    }
    if (operation.probe !== undefined)
      return answerProbe(operation, operation.probe, request, this.#options.validateResponses === true)
    const services = await this.#options.services()
    const [policy, shared] = [this.#options, this.#shared]
    const served = policy.substitute?.(operation, services) ?? operation
    return passStages({ request, requestId, operation: served, match, services, policy, shared })
  }

  #refuse(problem: Problem, request: ApiRequest): ApiResponse {
    return errorResponse(problem, undefined, this.#options.errors, request)
  }
}
