import { clientKey } from './client-address.ts'
import { connections } from './connection.ts'
import type { ApiRequest, BodyReader } from './request.ts'
import type { ApiResponse } from './response.ts'

/**
 * Converts a web request. `Accept-Encoding` is dropped: Next removes `Content-Encoding` from responses of its handlers and
 * leaves compression to the platform.
 */
export function fromWebRequest(request: Request): ApiRequest {
  const { method, signal } = request
  const headers = new Headers(request.headers)
  headers.delete('accept-encoding')
  const { pathname, search } = new URL(request.url)
  return {
    method,
    pathname,
    search,
    headers,
    signal,
    peer: connections().getStore()?.remoteAddress,
    body: readerOf(request.body),
  }
}

/** The rate-limit key of the client of a web request; see `clientKey`. */
export function clientOf({ headers }: Request, trustedProxies: number): string | undefined {
  return clientKey({ peer: connections().getStore()?.remoteAddress, headers }, trustedProxies)
}

export function toWebResponse({ status, headers, body }: ApiResponse): Response {
  return new Response(body, { status, headers: [...headers] })
}

function readerOf(body: ReadableStream<Uint8Array> | null): BodyReader | null {
  if (body === null) return null
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  return {
    read: async () => {
      reader ??= body.getReader()
      return (await reader.read()).value
    },
    stop: () => void reader?.cancel().catch(() => undefined),
  }
}
