import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

export interface Listening {
  readonly port: number
  close(): Promise<void>
}

/** Serves a function from request to response on a free port of loopback. */
export async function listen(answer: (request: Request) => Promise<Response>): Promise<Listening> {
  const server: Server = createServer((incoming, outgoing) => {
    answer(toRequest(incoming)).then(
      (response) => {
        outgoing.writeHead(response.status, Object.fromEntries(response.headers))
        if (response.body === null) outgoing.end()
        else Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]).pipe(outgoing)
      },
      (error: unknown) => outgoing.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function toRequest(incoming: IncomingMessage): Request {
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers,
  })
}
