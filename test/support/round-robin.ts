import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that gives each request to the next of several sites, as a balancer does. */
export interface RoundRobin {
  readonly origin: string
  /** Requests that each site was given, in the order of the sites. */
  readonly given: readonly number[]
  /** Known only once they listen, and they want to know the proxy's address. */
  leadTo(sites: readonly string[]): void
  close(): Promise<void>
}

/** Names the site that answered, by its place. */
export const SERVED_BY = 'x-served-by'

export async function startRoundRobin(): Promise<RoundRobin> {
  let sites: readonly string[] = []
  const given: number[] = []
  let turn = 0

  const pass = (request: IncomingMessage, response: ServerResponse): void => {
    const place = turn++ % sites.length
    given[place] = (given[place] ?? 0) + 1
    const earlier = request.headers['x-forwarded-for']
    const peer = request.socket.remoteAddress ?? ''
    const onward = ask(
      new URL(request.url ?? '/', sites[place]),
      {
        method: request.method ?? 'GET',
        // What the client says of itself goes along, as with most proxies.
        headers: { ...request.headers, 'x-forwarded-for': earlier ? `${earlier}, ${peer}` : peer },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, [SERVED_BY]: String(place) })
        response.flushHeaders()
        answer.pipe(response)
        answer.once('error', () => response.destroy())
      },
    )
    onward.once('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
    response.once('close', () => onward.destroy())
    request.pipe(onward)
  }

  const server = createServer(pass)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    given,
    leadTo: (next) => {
      sites = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
