import { randomUUID } from 'node:crypto'
import type { Context, Identity, Services } from '../context.ts'
import type { BodyPlace } from '../limits/body-room.ts'
import { describeRequest } from '../telemetry/describe-request.ts'
import { forRequest } from '../telemetry/request-scope.ts'
import { type OpenSpan, traced, tracing } from '../telemetry/tracing.ts'
import { type Answer, answerOf, problemOf, refusalOf, withoutBody } from './answer.ts'
import { clientKey } from './client-address.ts'
import { allowedMethods, allowOrigin, describeAccess } from './cors.ts'
import type { ErrorTable } from './errors.ts'
import type { Incoming } from './incoming.ts'
import type { ErasedInput, Method, Operation, ReadScope } from './operation.ts'
import { readInput, readParams } from './read-input.ts'
import { represent } from './represent.ts'
import { createRouter, type RouteMatch } from './router.ts'
import { fromWeb, toWeb } from './web.ts'

export interface DispatcherOptions {
  /** Path prefix of the API, for instance `/chain`. */
  readonly base: string
  readonly services: () => Promise<Services>
  readonly errors: ErrorTable
  /**
   * Names the account behind a protected request.
   *
   * @throws {Failure} `unauthenticated` when the request proves none.
   */
  readonly authenticate: (request: Incoming, services: Services) => Promise<Identity>
  /**
   * Looks at a request before anything of it is read.
   *
   * @throws {Failure} to turn it away.
   */
  readonly admit?: (request: Incoming, services: Services) => void
  /** Check every success against its schema and turn a mismatch into a 500. For tests. */
  readonly validateResponses?: boolean
  /** Told once about every answer; `path` is the documented pattern, absent when no route matched. */
  readonly observe?: (answer: ObservedAnswer) => void
}

export interface ObservedAnswer {
  readonly method: string
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
  /** The same for servers that know no `Request`. */
  readonly answer: (request: Incoming) => Promise<Answer>
  /** The operation behind a GET of this path, when its answers may be kept. */
  readonly keptRead: (pathname: string) => KeptRead | undefined
  /** To be told about answers that were kept, and are given again without asking. */
  readonly observe: (answer: ObservedAnswer) => void
}

/** A read whose answers hold as long as nothing changes in its scopes. */
export interface KeptRead {
  readonly path: string
  readonly operationId: string
  readonly scopes: readonly ReadScope[]
}

/**
 * Binds operations to requests, web-standard ones or others. Never throws: whatever goes wrong becomes a documented
 * answer, and a defect a neutral 500 whose `X-Request-Id` leads to the log line.
 */
export function createDispatcher(operations: readonly Operation[], options: DispatcherOptions): Dispatcher {
  const { base, errors } = options
  const route = createRouter(operations)
  const observe = options.observe ?? (() => undefined)
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

  const find = async (
    request: Incoming,
    requestId: string,
    matched: RouteMatch | undefined,
    operation: Operation | undefined,
  ): Promise<Answer> => {
    if (matched === undefined) {
      return refusalOf({ status: 404, message: 'There is nothing at this path' }, undefined, errors)
    }
    if (request.method === 'OPTIONS') return { status: 204, headers: new Map(), body: null }
    if (operation !== undefined) return run(operation, matched, request, requestId, options)
    const refusal = refusalOf({ status: 405, message: 'This path has no such method' }, undefined, errors)
    refusal.headers.set('allow', allowedMethods(matched.route))
    return refusal
  }

  const respond = async (request: Incoming, span: OpenSpan | undefined): Promise<Answer> => {
    const started = performance.now()
    const requestId = randomUUID()
    const { method, pathname } = request
    const preflighted = method === 'OPTIONS' && request.headers.get('access-control-request-method')
    const matched = match(pathname, (preflighted || method) as Method)
    const operation = matched?.route.operations.get(method as Method)

    let defect: unknown
    /** What keeps the database from serving; it passes, and operators want to know what it was. */
    let outage: unknown
    let given: Answer
    try {
      given = await find(request, requestId, matched, operation)
      if (operation !== undefined) given = await represent(given, operation, request)
    } catch (error) {
      const problem = problemOf(error, errors, request.signal)
      if (problem.status === 500) defect = error
      else if (problem.failure !== undefined && problem.failure !== error) outage = problem.failure.cause
      given = refusalOf(problem, operation, errors)
    }

    given.headers.set('x-request-id', requestId)
    given.headers.set('x-content-type-options', 'nosniff')
    describeAccess(given.headers, matched?.route, operation)
    await allowOrigin(given.headers, request, matched?.route, operation, () =>
      options.services().then(
        ({ config }) => config.allowedOrigins,
        () => [],
      ),
    )
    if (method === 'HEAD') given = withoutBody(given, operation)
    if (defect !== undefined) await log('error', defect, requestId, method, pathname, options)
    if (outage !== undefined) await log('warn', outage, requestId, method, pathname, options)
    if (span !== undefined) {
      const route = matched && `${base}${matched.route.path}`
      describeRequest(span, { method, route, status: given.status, requestId, defect })
    }
    observe({
      method,
      path: matched?.route.path,
      operationId: operation?.id,
      status: given.status,
      milliseconds: performance.now() - started,
      requestId,
      error: defect,
    })
    return given
  }

  const answer = (request: Incoming): Promise<Answer> =>
    traced(
      () => ({ name: 'request', kind: 'server', root: true, parent: request.headers.get('traceparent') }),
      (span) => respond(request, span),
    )

  const keptRead = (pathname: string): KeptRead | undefined => {
    const matched = match(pathname, 'GET')
    const { id, reads } = matched?.route.operations.get('GET') ?? {}
    if (matched === undefined || id === undefined || reads === undefined) return undefined
    return { path: matched.route.path, operationId: id, scopes: reads }
  }
  const dispatch = async (request: Request) => toWeb(await answer(fromWeb(request)))
  return Object.assign(dispatch, { answer, keptRead, observe })
}

async function run(
  operation: Operation,
  match: RouteMatch,
  request: Incoming,
  requestId: string,
  options: DispatcherOptions,
): Promise<Answer> {
  const services = await options.services()
  const { limiter, work } = services
  options.admit?.(request, services)
  const client = clientKey(request, services.config.trustedProxies)
  if (operation.limit !== undefined) await limiter.take(operation.limit, client)
  operation.precheck?.(services)
  const params = readParams(operation, match)
  const identity =
    operation.auth === 'none'
      ? undefined
      : await work.pass(() => options.authenticate(request, services), client)
  if (operation.limit !== undefined) await limiter.take(operation.limit, identity?.address)
  // A body may take as long as its sender likes, and is not yet work.
  const place = services.bodies.open(client)
  try {
    const input = await readInput(operation, params, countedIn(place, request))
    return await perform(operation, input, { request, requestId, services, identity, client, options })
  } finally {
    place.leave()
  }
}

interface Call {
  readonly request: Incoming
  readonly requestId: string
  readonly services: Services
  readonly identity: Identity | undefined
  readonly client: string | undefined
  readonly options: DispatcherOptions
}

async function perform(
  operation: Operation,
  input: ErasedInput,
  { request, requestId, services, identity, client, options }: Call,
): Promise<Answer> {
  const traceId = tracing()?.traceId()
  const scope = { requestId, operation: operation.id, ...(traceId !== undefined && { traceId }) }
  const ctx: Context = {
    ...services,
    log: services.log.child(scope),
    requestId,
    caller: identity?.address,
    session: identity?.session,
    signal: request.signal,
    client,
  }
  const reply = await forRequest({ ...scope, client }, () =>
    traced(
      () => ({ name: operation.id }),
      () => services.work.pass(() => operation.handler(ctx, input), client),
    ),
  )
  return answerOf(operation, reply, options.validateResponses === true)
}

/** The request, whose body is read as long as there is room for it. */
function countedIn(place: BodyPlace, request: Incoming): Incoming {
  const { body } = request
  if (body === null) return request
  const read = async () => {
    const chunk = await body.read()
    try {
      if (chunk !== undefined) place.take(chunk.byteLength)
    } catch (error) {
      body.stop()
      throw error
    }
    return chunk
  }
  return { ...request, body: { read, stop: body.stop } }
}

async function log(
  level: 'error' | 'warn',
  error: unknown,
  requestId: string,
  method: string,
  path: string,
  options: DispatcherOptions,
): Promise<void> {
  try {
    const { log } = await options.services()
    log[level]({ err: error, requestId, method, path }, 'request failed')
  } catch {
    // The services themselves are what is missing.
    console.error(`request ${requestId} failed: ${method} ${path}`, error)
  }
}
