import type { Answer } from './answer.ts'
import { connections } from './connection.ts'
import type { BodyReader, Incoming } from './incoming.ts'

/**
 * A web request as the operations see it. It accepts no coding: Next takes `Content-Encoding` off what its handlers
 * answer, and leaves compression to the platform.
 */
export function fromWeb(request: Request): Incoming {
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

export function toWeb({ status, headers, body }: Answer): Response {
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
