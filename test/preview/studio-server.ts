import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { Services } from '../../lib/context/context.ts'
import { createStudioDispatcher } from '../../lib/server/operations/studio/dispatcher.ts'

export interface StudioServer {
  readonly origin: string
  close(): Promise<void>
}

/**
 * The studio's endpoints behind a real socket, with pages beside them. A client that leaves shows in the request's
 * signal, as it does behind Next.
 *
 * @param pages By path; text and content type.
 */
export async function startStudioServer(
  services: Services,
  pages: ReadonlyMap<string, readonly [text: string, type: string]> = new Map(),
): Promise<StudioServer> {
  const dispatch = createStudioDispatcher({ services: async () => services, validateResponses: true })
  const server = createServer(async (incoming, outgoing) => {
    const page = pages.get(incoming.url ?? '')
    if (page) {
      outgoing.writeHead(200, { 'content-type': page[1] }).end(page[0])
      return
    }
    const left = new AbortController()
    outgoing.once('close', () => left.abort())
    const response = await dispatch(toRequest(incoming, left.signal))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET' } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method,
    signal,
    headers: Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' }),
  })
}
