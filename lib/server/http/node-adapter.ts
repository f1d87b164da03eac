import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from './dispatch.ts'
import { lingerBeforeEnd } from './linger.ts'
import { requestOf } from './node-request.ts'
import type { ApiResponse } from './response.ts'

/** Handles one request; resolves when the response has been handed to the connection. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Serves an API on Node's own HTTP server, without the web's `Request` and `Response` in between.
 *
 * @example
 * createServer(serveNode(createChainDispatcher({ services: getServices })))
 */
export function serveNode(dispatch: Dispatcher): NodeHandler {
  return async (request, response) => {
    lingerBeforeEnd(request, response)
    await send(await dispatch.handle(requestOf(request, response)), response)
  }
}

async function send({ status, headers, body }: ApiResponse, response: ServerResponse): Promise<void> {
  if (response.destroyed) {
    if (body instanceof ReadableStream) await body.cancel()
    return
  }
  if (body instanceof ReadableStream) {
    response.writeHead(status, [...headers].flat())
    return sendStream(body, response)
  }
  // An empty response may announce the length that it would have had.
  if (body !== null) headers.set('content-length', String(Buffer.byteLength(body)))
  else if (status !== 204 && status !== 304 && !headers.has('content-length'))
    headers.set('content-length', '0')
  response.writeHead(status, [...headers].flat())
  response.end(body ?? undefined)
}

/**
 * Sends a stream, one chunk at a time, so that none pile up here. Resolves at its end; a stream that fails, or whose
 * client leaves, destroys the connection at once.
 */
async function sendStream(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader()
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  void closed.then(() => reader.cancel()).catch(() => {})
  // No read is pending while a client takes nothing, so a failing stream shows only here.
  reader.closed.catch(() => response.destroy())
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (!response.write(value)) {
        await Promise.race([new Promise<void>((resolve) => response.once('drain', resolve)), closed])
      }
    }
    response.end()
  } catch {
    response.destroy()
  }
}
