import { createServer } from 'node:http'
import type { Services } from '../../lib/context/context.ts'
import { serveNode } from '../../lib/server/http/node-adapter.ts'
import { createStudioDispatcher } from '../../lib/server/operations/studio/dispatcher.ts'
import { listen, stop } from '../support/listen.ts'

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
  const answer = serveNode(dispatch)
  const server = createServer((incoming, outgoing) => {
    const page = pages.get(incoming.url ?? '')
    if (page) {
      outgoing.writeHead(200, { 'content-type': page[1] }).end(page[0])
      return
    }
    answer(incoming, outgoing)
  })
  return { origin: `http://127.0.0.1:${await listen(server)}`, close: () => stop(server) }
}
