import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BodyReader, Incoming, RequestHeaders } from './incoming.ts'

/** Signs that stand in a path and a query as they are, and no segment of dots. */
const PLAIN = /^(?!.*(?:\/\.|%2e))[\w\-./~!$&()*+,;=:@%?]*$/i

/** The path and the query of a request line, as the web's `URL` would give them. */
export function lineOf(line: string): Pick<Incoming, 'pathname' | 'search'> {
  if (!PLAIN.test(line)) {
    const { pathname, search } = new URL(`http://localhost${line}`)
    return { pathname, search }
  }
  const cut = line.indexOf('?')
  // A query of nothing is none.
  if (cut < 0 || cut === line.length - 1) return { pathname: cut < 0 ? line : line.slice(0, cut), search: '' }
  return { pathname: line.slice(0, cut), search: line.slice(cut) }
}

export function incomingOf(
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
  search: string,
): Incoming {
  const left = new AbortController()
  response.once('close', () => {
    // After an answer there is nothing to give up; the reason alone is dear to make.
    if (!response.writableFinished) left.abort()
  })
  const { method = 'GET' } = request
  return {
    method,
    pathname,
    search,
    headers: headersOf(request),
    peer: request.socket.remoteAddress,
    signal: left.signal,
    body: method === 'GET' || method === 'HEAD' || !carriesBody(request) ? null : readerOf(request),
  }
}

function headersOf(request: IncomingMessage): RequestHeaders {
  const { headersDistinct } = request
  const get = (name: string) => headersDistinct[name.toLowerCase()]?.join(', ') ?? null
  return { get, has: (name) => get(name) !== null }
}

/**
 * Answers 400 to a request with several `Host` headers, of which Node takes the first and a proxy perhaps another.
 * Without any it is Node that answers 400.
 *
 * @returns whether it did.
 */
export function refuseTwoHosts({ rawHeaders }: IncomingMessage, response: ServerResponse): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') count += 1
  }
  if (count <= 1) return false
  response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
  response.end('Send one Host header\n')
  return true
}

/** Whether a body comes, or may come, after the head. */
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
    // What still comes is dealt with once the answer is on its way: see `endUpload`.
    stop: () => void chunks?.return?.().catch(() => undefined),
  }
}

/**
 * How much, and for how long, a client may go on sending after its answer: more than it and the network hold ready, or
 * it is cut before it comes to reading.
 */
const PATIENCE = { bytes: 64 * 1024 * 1024, milliseconds: 2_000 }

/**
 * Lets a client that is still sending read its answer, which it could not if the connection were cut at once, but does
 * not let it send for ever.
 */
export function endUpload(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return
    let left = PATIENCE.bytes
    // What has come as a whole must not be cut: the next request may be on the same connection already.
    const cut = () => {
      if (!request.complete) request.destroy()
    }
    const timer = setTimeout(cut, PATIENCE.milliseconds).unref()
    request.on('data', (chunk: Uint8Array) => {
      left -= chunk.byteLength
      if (left < 0) cut()
    })
    request.once('close', () => clearTimeout(timer))
    request.once('error', () => undefined)
    request.resume()
  })
}
