import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * How much a client may still send after its response: bytes, and milliseconds in all and between two chunks. Many clients
 * read only once they have written everything, as slowly as their line is.
 */
const LIMITS = { bytes: 64 * 1024 * 1024, totalMs: 30_000, idleMs: 5_000 }

/**
 * Makes a response that ends before its request wait with the end: the response is sent at once, what still arrives is
 * discarded, then the connection serves the next request or closes. Closing at once, as Node does where the client asked
 * for it, resets a connection on which the client still writes, and loses the response.
 *
 * @param limits Beyond them the connection is cut.
 */
export function lingerBeforeEnd(request: IncomingMessage, response: ServerResponse, limits = LIMITS): void {
  const end = response.end.bind(response) as (...parameters: unknown[]) => ServerResponse
  const lingering = (...parameters: unknown[]): ServerResponse => {
    response.end = end as ServerResponse['end']
    if (request.complete || request.destroyed || response.destroyed) return end(...parameters)
    const [chunk, encoding] = parameters
    const rest = parameters.filter((parameter) => typeof parameter === 'function')
    if ((typeof chunk === 'string' || chunk instanceof Uint8Array) && chunk.length > 0) {
      if (!response.headersSent && !response.hasHeader('transfer-encoding'))
        response.setHeader('Content-Length', Buffer.byteLength(chunk))
      response.write(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
    } else response.flushHeaders()
    discardRest(request, limits, () => end(...rest))
    return response
  }
  response.end = lingering as ServerResponse['end']
}

/** Reads a request to its end and calls `onEnd`, or cuts its connection at a limit. */
function discardRest(request: IncomingMessage, limits: typeof LIMITS, onEnd: () => void): void {
  let bytesLeft = limits.bytes
  const cut = () => request.destroy()
  const total = setTimeout(cut, limits.totalMs).unref()
  const idle = setTimeout(cut, limits.idleMs).unref()
  request.on('data', (chunk: Uint8Array) => {
    idle.refresh()
    bytesLeft -= chunk.byteLength
    if (bytesLeft < 0) cut()
  })
  request.once('end', onEnd)
  request.once('close', () => {
    clearTimeout(total)
    clearTimeout(idle)
  })
  request.once('error', () => undefined)
  // A reader that gave up in between would keep the stream from flowing.
  request.removeAllListeners('readable')
  request.resume()
}
