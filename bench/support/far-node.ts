import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/** A node behind a slow line, which counts the requests that it gets. */
export interface FarNode {
  readonly url: string
  readonly requests: number
  close(): Promise<void>
}

/** Starts a proxy that passes requests on to a node after a delay. @param delayMs Of each request. */
export async function startFarNode(target: string, delayMs: number): Promise<FarNode> {
  let requests = 0
  const server = createServer(async (request, response) => {
    // A WebSocket, which it does not offer.
    if (request.method !== 'POST') return void response.writeHead(405).end()
    requests += 1
    try {
      const body = await buffer(request)
      await sleep(delayMs)
      const answer = await fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(Buffer.from(await answer.arrayBuffer()))
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
