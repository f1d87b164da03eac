import type { IncomingMessage, ServerResponse } from 'node:http'
import { lingerBeforeEnd } from './linger.ts'
import type { ApiRequest, BodyReader, RequestHeaders } from './request.ts'

const fitsSlowClients = limitSlowClients(64 * 1024 * 1024)

/** A request of Node's server as the operations see it. */
export function requestOf(request: IncomingMessage, response: ServerResponse): ApiRequest {
  const controller = new AbortController()
  response.once('close', () => {
    // Creating the abort reason is expensive, and useless after a complete response.
    if (!response.writableFinished) controller.abort()
  })
  const { method = 'GET', url = '/' } = request
  const { pathname, search } = new URL(`http://localhost${url}`)
  return {
    method,
    pathname,
    search,
    headers: headersOf(request),
    peer: request.socket.remoteAddress,
    signal: controller.signal,
    // A closed response would never release its reservation.
    reserve: (bytes) => response.destroyed || fitsSlowClients(response, bytes),
    body: method === 'GET' || method === 'HEAD' || !carriesBody(request) ? null : readerOf(request),
  }
}

/** Repeated headers are joined by commas, which `request.headers` does for some of them only. */
function headersOf({ headersDistinct }: IncomingMessage): RequestHeaders {
  const get = (name: string) => headersDistinct[name.toLowerCase()]?.join(', ') ?? null
  return { get, has: (name) => get(name) !== null }
}

/**
 * Answers 400 to a request with several `Host` headers: Node takes the first, a proxy perhaps another. Node itself
 * refuses a request without any.
 *
 * @returns whether the request was refused.
 */
export function refuseTwoHosts(request: IncomingMessage, response: ServerResponse): boolean {
  const { headersDistinct } = request
  if ((headersDistinct.host?.length ?? 0) <= 1) return false
  lingerBeforeEnd(request, response)
  response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
  response.end('Send one Host header\n')
  return true
}

/** Whether the request announces a body. */
export function carriesBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

function readerOf(request: IncomingMessage): BodyReader {
  let chunks: AsyncIterator<Uint8Array> | undefined
  return {
    read: async () => {
      chunks ??= request.iterator({ destroyOnReturn: false })
      const { done, value } = await chunks.next()
      return done === true ? undefined : value
    },
    // `lingerBeforeEnd` discards the rest after the response.
    stop: () => void chunks?.return?.().catch(() => undefined),
  }
}

/** Smaller responses mostly fit the system's socket buffers, and the number of connections bounds them. */
const MIN_BYTES = 64 * 1024

interface Pending {
  readonly bytes: number
  readonly since: number
}

/**
 * Caps the bytes buffered for slow clients: beyond the cap the slowest are disconnected, and while all are recent the
 * new response is refused. One response alone is always allowed.
 *
 * @param minAgeMs No client is disconnected earlier, so that a burst on a fast line gets through.
 * @returns Counts a response of this many bytes until its connection has taken it; false when it must be refused.
 */
export function limitSlowClients(
  maxBytes: number,
  minAgeMs = 10_000,
): (response: ServerResponse, bytes: number) => boolean {
  // Oldest first.
  const pending = new Map<ServerResponse, Pending>()
  let buffered = 0
  const remove = (response: ServerResponse): void => {
    buffered -= pending.get(response)?.bytes ?? 0
    pending.delete(response)
  }
  return (response, bytes) => {
    if (bytes < MIN_BYTES) return true
    const now = performance.now()
    for (const [oldest, { since }] of pending) {
      if (buffered + bytes <= maxBytes || now - since < minAgeMs) break
      remove(oldest)
      oldest.destroy()
    }
    if (buffered > 0 && buffered + bytes > maxBytes) return false
    buffered += bytes
    pending.set(response, { bytes, since: now })
    response.once('close', () => remove(response))
    return true
  }
}
