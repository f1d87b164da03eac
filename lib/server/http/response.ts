import { type ErasedReply, isSecret, type Operation, type RawBody, type ResponseShape } from './operation.ts'

/** A response before a server writes it. Names of headers are in lower case. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Map<string, string>
  readonly body: RawBody
}

/** @throws {Error} When the operation does not document the reply, or, with `check`, when its schema refuses it. */
export function responseOf(operation: Operation, reply: ErasedReply, check: boolean): ApiResponse {
  const { status } = reply
  const shape = operation.responses[status]
  if (shape === undefined) throw new Error(`${operation.id} answered ${status}, which it does not document`)
  if (check) checkReply(operation, shape, reply)
  const { cache = isSecret(operation) ? 'no-store, no-transform' : 'no-store' } = operation
  // A reply of 400 or more reports on what may be mended at once.
  const headers = new Map([['cache-control', status < 400 ? cache : 'no-store']])
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

/** Without a body, an undocumented `Content-Type` goes too: clients parse whatever is announced as JSON. */
export function withoutBody({ status, headers }: ApiResponse, operation: Operation | undefined): ApiResponse {
  if (operation?.responses[status]?.contentType === undefined) {
    headers.delete('content-type')
    headers.set('content-length', '0')
  }
  return { status, headers, body: null }
}
