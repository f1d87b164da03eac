import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'
import type { AnswerMemory, KeptAnswer } from './answer-memory.ts'
import { acceptsGzip } from './content-coding.ts'
import type { Dispatcher } from './dispatch.ts'
import { isNamed } from './etag.ts'
import type { Incoming } from './incoming.ts'
import { endUpload, incomingOf, lineOf } from './node-request.ts'
import { pump } from './pump.ts'
import { isOfBody, notModified } from './represent.ts'
import { boundUnread } from './unread-answers.ts'

const countUnread = boundUnread(128 * 1024 * 1024)

/** Answers one request; settles when the answer is over. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * An API on Node's own HTTP server: without the web's objects in between.
 *
 * @param memory Keeps answers of operations that allow it.
 * @example
 * createServer(serveNode(createChainDispatcher({ services: getServices })))
 */
export function serveNode(dispatch: Dispatcher, memory?: AnswerMemory): NodeHandler {
  const giveAgain = together((given) => give(dispatch, given))
  return async (request, response) => {
    const started = performance.now()
    const { url: line = '/', method, headers: asked } = request
    if (memory === undefined || method !== 'GET') {
      const { pathname, search } = lineOf(line)
      return write(await dispatch.answer(incomingOf(request, response, pathname, search)), request, response)
    }
    // Both forms of an answer are kept, each for the clients that take it.
    const key = acceptsGzip(asked['accept-encoding']) ? `gzip ${line}` : line
    const found = memory.find(key)
    const kept = found instanceof Promise ? await found : found
    if (kept !== undefined) {
      giveAgain({ kept, started, request, response })
      return
    }
    const { pathname, search } = lineOf(line)
    const read = dispatch.keptRead(pathname)
    const keep = read && (await memory.before(read.scopes))
    const incoming = incomingOf(request, response, pathname, search)
    const answer = await dispatch.answer(keep ? unconditional(incoming) : incoming)
    if (read === undefined || answer.status !== 200 || !(answer.body instanceof Uint8Array))
      return write(answer, request, response)
    keep?.(key, {
      status: 200,
      headers: pairs(announced(answer), 'x-request-id'),
      etag: answer.headers.get('etag'),
      body: Buffer.from(answer.body).toString('latin1'),
      ...read,
    })
    await write(notModified(answer, asked['if-none-match']) ?? answer, request, response)
  }
}

/** The request without its condition, so that what is kept is the whole answer. */
function unconditional(incoming: Incoming): Incoming {
  const get = (name: string) => (name === 'if-none-match' ? null : incoming.headers.get(name))
  return { ...incoming, headers: { get, has: (name) => get(name) !== null } }
}

interface Given {
  readonly kept: KeptAnswer
  readonly started: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

function give(dispatch: Dispatcher, { kept, started, request, response }: Given): void {
  const requestId = randomUUID()
  const { headers, etag, body, path, operationId } = kept
  const unchanged = etag !== undefined && isNamed(request.headers['if-none-match'], etag)
  const status = unchanged ? 304 : kept.status
  if (countUnread(response, unchanged ? 0 : body.length)) {
    const sent = unchanged ? withoutBodyHeaders(headers) : headers
    response.writeHead(status, [...sent, 'x-request-id', requestId])
    if (unchanged) response.end()
    else response.end(body, 'latin1')
  } else refuse(response, new Map([['x-request-id', requestId]]))
  const milliseconds = performance.now() - started
  dispatch.observe({ method: 'GET', path, operationId, status, milliseconds, requestId, error: undefined })
}

/** @param headers Name, value, name, value, …. */
function withoutBodyHeaders(headers: readonly string[]): string[] {
  return headers.filter((_, index) => !isOfBody(headers[index - (index % 2)] as string))
}

/**
 * Gives what one turn of the event loop asks for in one go at its end. A client that waits is woken by the first answer
 * and finds the others when it has read that; to be woken for each of them costs the server as much as making it.
 */
function together(give: (each: Given) => void): (each: Given) => void {
  let waiting: Given[] = []
  const giveAll = () => {
    const all = waiting
    waiting = []
    for (const each of all) {
      try {
        give(each)
      } catch {
        // The others are not to wait for ever.
        each.response.destroy()
      }
    }
  }
  return (each) => {
    if (waiting.push(each) === 1) setImmediate(giveAll)
  }
}

async function write(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = announced(answer)
  if (response.destroyed) {
    if (body instanceof ReadableStream) await body.cancel()
    return
  }
  if (body instanceof ReadableStream) {
    response.writeHead(status, pairs(answer))
    return pump(body, response)
  }
  if (countUnread(response, body?.length ?? 0)) {
    response.writeHead(status, pairs(answer))
    response.end(body ?? undefined)
  } else refuse(response, answer.headers)
  if (!request.complete) endUpload(request, response)
}

/** Answers 503 in place of an answer that there is no memory for. */
function refuse(response: ServerResponse, headers: ReadonlyMap<string, string>): void {
  const own = new Map(headers)
  for (const name of ['content-encoding', 'etag', 'last-modified']) own.delete(name)
  own.set('cache-control', 'no-store').set('retry-after', '2').set('content-type', 'application/json')
  const text = '{"message":"Too many large answers are on their way; try again shortly"}'
  own.set('content-length', String(text.length))
  response.writeHead(503, pairs({ headers: own }))
  response.end(text)
}

/** The answer with its length announced, unless its body is a stream. */
function announced(answer: Answer): Answer {
  const { status, headers, body } = answer
  if (body instanceof ReadableStream) return answer
  // An empty answer may say how long it would have been.
  if (body !== null) headers.set('content-length', String(Buffer.byteLength(body)))
  else if (status !== 204 && status !== 304 && !headers.has('content-length'))
    headers.set('content-length', '0')
  return answer
}

function pairs({ headers }: Pick<Answer, 'headers'>, without?: string): string[] {
  const flat: string[] = []
  for (const [name, value] of headers) if (name !== without) flat.push(name, value)
  return flat
}
