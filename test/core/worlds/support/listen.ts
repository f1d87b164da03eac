import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { listen as listenOn, stop } from '#test/support/listen.ts'

export interface Listening {
  readonly port: number
  close(): Promise<void>
}

/** Serves a function from request to response on a free port of loopback. */
export async function listen(answer: (request: Request) => Promise<Response>): Promise<Listening> {
  const server = createServer(answeredBy(answer))
  const port = await listenOn(server)
  return {
    port,
    close: () => stop(server),
  }
}

/** A function from request to response as a listener of Node's servers. */
export function answeredBy(answer: (request: Request) => Promise<Response>): RequestListener {
  return async (incoming, outgoing) => {
    try {
      const response = await answer(await toRequest(incoming))
      outgoing.writeHead(response.status, [...response.headers].flat())
      if (response.body === null) outgoing.end()
      else Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]).pipe(outgoing)
    } catch (error) {
      outgoing.writeHead(500).end(String(error))
    }
  }
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers,
    body: ['GET', 'HEAD'].includes(incoming.method ?? 'GET') ? null : new Uint8Array(await buffer(incoming)),
  })
}
