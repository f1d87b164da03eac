import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from './dispatch.ts'

/**
 * Answers a request without a body from Node's own HTTP server. Settles when the answer is over: a stream that ends in
 * an error, or whose reader leaves, takes its connection along at once.
 */
export async function serveNode(
  dispatch: Dispatcher,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const url = `http://localhost${request.url ?? '/'}`
  const { method = 'GET' } = request
  const reply = await dispatch(new Request(url, { method, headers, signal: left.signal }))
  if (response.destroyed) return reply.body?.cancel()
  response.writeHead(reply.status, Object.fromEntries(reply.headers))
  if (reply.body === null) response.end()
  else await pump(reply.body, response)
}

/** Asks for the next chunk when the one before is on its way, so that nothing piles up here. */
async function pump(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader()
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  void closed.then(() => reader.cancel()).catch(() => {})
  // A reader that takes nothing is not asked again, so it is not by reading that its end is heard of.
  reader.closed.catch(() => response.destroy())
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      if (!response.write(value)) await Promise.race([drained(response), closed])
    }
    response.end()
  } catch {
    response.destroy()
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('drain', resolve))
}
