import { isAscii } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'
import type { AnswerMemory, KeptAnswer } from './answer-memory.ts'
import { compressed } from './compress.ts'
import type { Dispatcher } from './dispatch.ts'
import { endUpload, incomingOf, lineOf } from './node-request.ts'
import { pump } from './pump.ts'
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
    const { url: line = '/', method } = request
    const found = method === 'GET' ? memory?.find(line) : undefined
    const kept = found instanceof Promise ? await found : found
    if (kept !== undefined) {
      giveAgain({ kept, started, response })
      return
    }
    const { pathname, search } = lineOf(line)
    const read = method === 'GET' && memory !== undefined ? dispatch.keptRead(pathname) : undefined
    const keep = read && (await memory?.before(read.scopes))
    const answer = withBytes(await dispatch.answer(incomingOf(request, response, pathname, search)))
    if (read !== undefined && answer.status === 200 && answer.body instanceof Uint8Array) {
      const headers = pairs(answer, 'x-request-id')
      const body = isAscii(answer.body) ? Buffer.from(answer.body).toString('latin1') : answer.body
      keep?.(line, { status: 200, headers, body, ...read })
    }
    await write(await compressed(answer, request.headers['accept-encoding']), request, response)
  }
}

interface Given {
  readonly kept: KeptAnswer
  readonly started: number
  readonly response: ServerResponse
}

function give(dispatch: Dispatcher, { kept, started, response }: Given): void {
  const requestId = randomUUID()
  const { status, headers, body, path, operationId } = kept
  if (countUnread(response, body.length)) {
    response.writeHead(status, [...headers, 'x-request-id', requestId])
    response.end(body, 'latin1')
  } else refuse(response, new Map([['x-request-id', requestId]]))
  const milliseconds = performance.now() - started
  dispatch.observe({ method: 'GET', path, operationId, status, milliseconds, requestId, error: undefined })
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
  const { status, body } = answer
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

/** Says that there is no room for the answer, which is given up. */
function refuse(response: ServerResponse, headers: ReadonlyMap<string, string>): void {
  const own = new Map(headers)
  for (const name of ['content-encoding', 'etag', 'last-modified']) own.delete(name)
  own.set('cache-control', 'no-store').set('retry-after', '2').set('content-type', 'application/json')
  const text = '{"message":"Too many large answers are on their way; try again shortly"}'
  own.set('content-length', String(text.length))
  response.writeHead(503, pairs({ headers: own }))
  response.end(text)
}

/** The answer with its body as bytes, unless that is a stream, and its length announced. */
function withBytes(answer: Answer): Answer {
  const { status, headers, body } = answer
  if (body instanceof ReadableStream) return answer
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  // An empty answer may say how long it would have been.
  if (bytes !== null) headers.set('content-length', String(bytes.byteLength))
  else if (status !== 204 && status !== 304 && !headers.has('content-length'))
    headers.set('content-length', '0')
  return { status, headers, body: bytes }
}

function pairs({ headers }: Pick<Answer, 'headers'>, without?: string): string[] {
  const flat: string[] = []
  for (const [name, value] of headers) if (name !== without) flat.push(name, value)
  return flat
}
