import { randomUUID } from 'node:crypto'
import type { Context, Identity, Services } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import { readText, requireJsonType, UnsupportedMediaType } from './body.ts'
import type { ErrorTable, Problem } from './errors.ts'
import { readJson } from './json.ts'
import { readFile } from './multipart.ts'
import {
  DEFAULT_MAX_BODY_BYTES,
  type ErasedInput,
  type ErasedReply,
  type Method,
  type Operation,
  type RawBody,
  type ResponseShape,
} from './operation.ts'
import { readQuery } from './query.ts'
import { createRouter, type Route, type RouteMatch } from './router.ts'
import { validate } from './validate.ts'

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
  readonly authenticate: (request: Request, services: Services) => Promise<Identity>
  /**
   * Looks at a request before anything of it is read.
   *
   * @throws {Failure} to turn it away.
   */
  readonly admit?: (request: Request, services: Services) => void
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

export type Dispatcher = (request: Request) => Promise<Response>

/**
 * Binds operations to web-standard requests. Never throws: whatever goes wrong becomes a documented answer, and a
 * defect a neutral 500 whose `X-Request-Id` leads to the log line.
 */
export function createDispatcher(operations: readonly Operation[], options: DispatcherOptions): Dispatcher {
  const route = createRouter(operations)

  return async (request) => {
    const started = performance.now()
    const requestId = randomUUID()
    const { pathname, search } = new URL(request.url)
    const match = pathname.startsWith(`${options.base}/`)
      ? route(pathname.slice(options.base.length))
      : undefined
    const operation = match?.route.operations.get(request.method as Method)

    let defect: unknown
    let response: Response
    try {
      if (match === undefined) response = refuse(404, 'There is nothing at this path')
      else if (request.method === 'OPTIONS') response = new Response(null, { status: 204 })
      else if (operation === undefined) response = methodNotAllowed(match.route)
      else response = await run(operation, match, request, search, requestId, options)
    } catch (error) {
      const problem = toProblem(error, options.errors)
      if (problem.status === 500) defect = error
      response = render(problem, operation)
    }

    decorate(response.headers, requestId, match?.route, operation)
    await allowOrigin(response.headers, request, match?.route, operation, options)
    if (request.method === 'HEAD') response = withoutBody(response, operation)
    if (defect !== undefined) await logDefect(defect, requestId, request.method, pathname, options)
    options.observe?.({
      method: request.method,
      path: match?.route.path,
      operationId: operation?.id,
      status: response.status,
      milliseconds: performance.now() - started,
      requestId,
      error: defect,
    })
    return response
  }

  function refuse(status: number, message: string): Response {
    return render({ status, message }, undefined)
  }

  function methodNotAllowed(matched: Route): Response {
    const response = refuse(405, 'This path has no such method')
    response.headers.set('Allow', allowedMethods(matched).join(', '))
    return response
  }

  function render(problem: Problem, operation: Operation | undefined): Response {
    const body = options.errors.body(problem, operation)
    const headers = new Headers({ 'Cache-Control': 'no-store' })
    if (body !== undefined) headers.set('Content-Type', body.contentType)
    if (problem.status === 401) headers.set('WWW-Authenticate', 'Bearer')
    const retryAfter =
      problem.failure?.details.retryAfterSeconds ?? (problem.failure?.code === 'overloaded' ? 1 : undefined)
    if (retryAfter !== undefined) headers.set('Retry-After', String(Math.ceil(retryAfter)))
    return new Response(body?.text ?? null, { status: problem.status, headers })
  }
}

async function run(
  operation: Operation,
  match: RouteMatch,
  request: Request,
  search: string,
  requestId: string,
  options: DispatcherOptions,
): Promise<Response> {
  const services = await options.services()
  options.admit?.(request, services)
  operation.precheck?.(services)
  const params = readParams(operation, match)
  const identity = operation.auth === 'none' ? undefined : await options.authenticate(request, services)
  const input: ErasedInput = {
    params,
    query: readQueryOf(operation, search),
    headers: readHeaders(operation, request),
    body: await readBody(operation, request),
    file: operation.request.file && (await readFile(request, operation.request.file)),
  }
  const ctx: Context = {
    ...services,
    log: services.log.child({ requestId, operation: operation.id }),
    requestId,
    caller: identity?.address,
    session: identity?.session,
    signal: request.signal,
  }
  const reply = await operation.handler(ctx, input)
  return encode(operation, reply, options.validateResponses === true)
}

function readParams(operation: Operation, match: RouteMatch): unknown {
  const { params: schema, invalidParams } = operation.request
  if (schema === undefined) return undefined
  const broken = Object.keys(match.params).find((name) => match.params[name] === undefined)
  if (broken !== undefined) {
    throw new Failure(invalidParams ?? 'invalid_request', `${broken}: broken percent-encoding`)
  }
  return validate(schema, match.params, 'path', invalidParams)
}

function readQueryOf(operation: Operation, search: string): unknown {
  const schema = operation.request.query
  if (schema === undefined) return undefined
  return validate(schema, readQuery(search, new Set(Object.keys(schema.shape))), 'query')
}

function readHeaders(operation: Operation, request: Request): unknown {
  const schema = operation.request.headers
  if (schema === undefined) return undefined
  const given = Object.keys(schema.shape).flatMap((name) => {
    const value = request.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return validate(schema, Object.fromEntries(given), 'headers')
}

async function readBody(operation: Operation, request: Request): Promise<unknown> {
  const { body: schema, maxBodyBytes } = operation.request
  if (schema === undefined) return undefined
  requireJsonType(request.headers.get('content-type'))
  const text = await readText(request, maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES)
  return validate(schema, readJson(text), 'body')
}

function encode(operation: Operation, reply: ErasedReply, check: boolean): Response {
  const shape = operation.responses[reply.status]
  if (shape === undefined)
    throw new Error(`${operation.id} answered ${reply.status}, which it does not document`)
  if (check) checkReply(operation, shape, reply)
  const headers = new Headers({ 'Cache-Control': operation.cache ?? 'no-store', ...reply.headers })
  if (shape.schema !== undefined) {
    headers.set('Content-Type', 'application/json')
    return new Response(JSON.stringify(reply.body), { status: reply.status, headers })
  }
  if (shape.contentType !== undefined) {
    if (!headers.has('Content-Type')) headers.set('Content-Type', shape.contentType)
    return new Response(reply.body as RawBody, { status: reply.status, headers })
  }
  return new Response(null, { status: reply.status, headers })
}

function checkReply(operation: Operation, shape: ResponseShape, reply: ErasedReply): void {
  const problem = shape.schema?.safeParse(reply.body).error?.message
  if (problem !== undefined) throw new Error(`${operation.id} ${reply.status} is off its schema: ${problem}`)
  for (const name of Object.keys(shape.headers ?? {})) {
    if (reply.headers?.[name] === undefined)
      throw new Error(`${operation.id} ${reply.status} lacks header ${name}`)
  }
}

function toProblem(error: unknown, table: ErrorTable): Problem {
  if (error instanceof Failure) {
    return { status: table.status[error.code], message: error.message, failure: error }
  }
  if (error instanceof UnsupportedMediaType) return { status: 415, message: error.message }
  return {
    status: 500,
    message: 'Something went wrong on our side; the X-Request-Id header names this request',
  }
}

function decorate(
  headers: Headers,
  requestId: string,
  route: Route | undefined,
  operation: Operation | undefined,
): void {
  headers.set('X-Request-Id', requestId)
  headers.set('X-Content-Type-Options', 'nosniff')
  const declared = Object.values(operation?.responses ?? {}).flatMap((shape) =>
    Object.keys(shape.headers ?? {}),
  )
  headers.set('Access-Control-Expose-Headers', ['X-Request-Id', 'Retry-After', ...declared].join(', '))
  if (route !== undefined && operation === undefined) {
    headers.set('Access-Control-Allow-Methods', allowedMethods(route).join(', '))
    headers.set(
      'Access-Control-Allow-Headers',
      'Authorization, Content-Type, If-None-Match, Last-Event-ID, Range',
    )
    headers.set('Access-Control-Max-Age', '600')
  }
}

/** Everybody may read what is public; what concerns a session only pages of the configured origins. */
async function allowOrigin(
  headers: Headers,
  request: Request,
  route: Route | undefined,
  operation: Operation | undefined,
  options: DispatcherOptions,
): Promise<void> {
  const asked =
    operation ?? route?.operations.get(request.headers.get('access-control-request-method') as Method)
  if (asked === undefined || !isForSessions(asked)) {
    headers.set('Access-Control-Allow-Origin', '*')
    return
  }
  headers.append('Vary', 'Origin')
  const origin = request.headers.get('origin')
  if (origin === null) return
  const { config } = await options.services()
  if (config.allowedOrigins.includes(origin)) headers.set('Access-Control-Allow-Origin', origin)
}

function isForSessions(operation: Operation): boolean {
  return (operation.cors ?? (operation.auth === 'session' ? 'session' : 'public')) === 'session'
}

function allowedMethods(route: Route): string[] {
  return [...route.operations.keys(), 'OPTIONS']
}

/** Clients parse whatever is announced as JSON, so an empty answer announces nothing it was not told to. */
function withoutBody(response: Response, operation: Operation | undefined): Response {
  const headers = new Headers(response.headers)
  if (operation?.responses[response.status]?.contentType === undefined) {
    headers.delete('Content-Type')
    headers.set('Content-Length', '0')
  }
  return new Response(null, { status: response.status, headers })
}

async function logDefect(
  error: unknown,
  requestId: string,
  method: string,
  path: string,
  options: DispatcherOptions,
): Promise<void> {
  try {
    const { log } = await options.services()
    log.error({ err: error, requestId, method, path }, 'request failed')
  } catch {
    // The services themselves are what is missing.
    console.error(`request ${requestId} failed: ${method} ${path}`, error)
  }
}
