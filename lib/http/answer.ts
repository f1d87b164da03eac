import { Failure } from '../domain/failure.ts'
import { UnsupportedMediaType } from './body.ts'
import type { ErrorTable, Problem } from './errors.ts'
import { type ErasedReply, isSecret, type Operation, type RawBody, type ResponseShape } from './operation.ts'
import { storageFailure } from './storage-trouble.ts'

/** What goes back, before a server writes it. Names of headers are in lower case. */
export interface Answer {
  readonly status: number
  readonly headers: Map<string, string>
  readonly body: RawBody
}

/** @throws {Error} When the reply is none that the operation documents, or, with `check`, off its schema. */
export function answerOf(operation: Operation, reply: ErasedReply, check: boolean): Answer {
  const { status } = reply
  const shape = operation.responses[status]
  if (shape === undefined) throw new Error(`${operation.id} answered ${status}, which it does not document`)
  if (check) checkReply(operation, shape, reply)
  const { cache = isSecret(operation) ? 'no-store, no-transform' : 'no-store' } = operation
  const headers = new Map([['cache-control', cache]])
  for (const name in reply.headers) headers.set(name.toLowerCase(), reply.headers[name] as string)
  if (shape.schema !== undefined) {
    headers.set('content-type', 'application/json')
    return { status, headers, body: reply.json ?? JSON.stringify(reply.body) }
  }
  if (shape.contentType === undefined) return { status, headers, body: null }
  if (!headers.has('content-type')) headers.set('content-type', shape.contentType)
  return { status, headers, body: reply.body as RawBody }
}

function checkReply(operation: Operation, shape: ResponseShape, reply: ErasedReply): void {
  const body: unknown =
    reply.json === undefined ? reply.body : JSON.parse(new TextDecoder().decode(reply.json))
  const problem = shape.schema?.safeParse(body).error?.message
  if (problem !== undefined) throw new Error(`${operation.id} ${reply.status} is off its schema: ${problem}`)
  for (const name of Object.keys(shape.headers ?? {})) {
    if (reply.headers?.[name] === undefined)
      throw new Error(`${operation.id} ${reply.status} lacks header ${name}`)
  }
}

/** What a log of answers has for a request whose client left before its answer; no client ever reads it. */
const CLIENT_LEFT = 499

/**
 * Anything but a failure on purpose is a defect: a 500 that says nothing.
 *
 * @param signal Of the request. Work that is given up because its client left did not fail.
 */
export function problemOf(error: unknown, table: ErrorTable, signal: AbortSignal): Problem {
  if (signal.aborted && isDueTo(error, signal.reason))
    return { status: CLIENT_LEFT, message: 'The client left' }
  const failure = error instanceof Failure ? error : storageFailure(error)
  if (failure !== undefined) {
    return { status: table.status[failure.code], message: failure.message, failure }
  }
  if (error instanceof UnsupportedMediaType)
    return { status: 415, message: error.message, headers: error.headers }
  return {
    status: 500,
    message: 'Something went wrong on our side; the X-Request-Id header names this request',
  }
}

function isDueTo(error: unknown, reason: unknown): boolean {
  return error === reason || (error instanceof Error && isDueTo(error.cause, reason))
}

/** @param operation Absent when no route matched. */
export function refusalOf(problem: Problem, operation: Operation | undefined, table: ErrorTable): Answer {
  const body = table.body(problem, operation)
  const headers = new Map([['cache-control', 'no-store']])
  if (body !== undefined) headers.set('content-type', body.contentType)
  for (const name in problem.headers) headers.set(name, problem.headers[name] as string)
  if (problem.status === 401) headers.set('www-authenticate', 'Bearer')
  const retryAfter =
    problem.failure?.details.retryAfterSeconds ?? (problem.failure?.code === 'overloaded' ? 1 : undefined)
  if (retryAfter !== undefined) headers.set('retry-after', String(Math.ceil(retryAfter)))
  return { status: problem.status, headers, body: body?.text ?? null }
}

/** Clients parse whatever is announced as JSON, so an empty answer announces nothing it was not told to. */
export function withoutBody({ status, headers }: Answer, operation: Operation | undefined): Answer {
  if (operation?.responses[status]?.contentType === undefined) {
    headers.delete('content-type')
    headers.set('content-length', '0')
  }
  return { status, headers, body: null }
}
