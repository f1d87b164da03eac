import { createServer, type IncomingMessage, type Server } from 'node:http'
import { Readable } from 'node:stream'
import { listen as listenOn, stop } from '../../support/listen.ts'

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
  const port = await listenOn(server)
  return {
    port,
    close: () => stop(server),
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
