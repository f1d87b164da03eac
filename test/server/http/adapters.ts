import { createServer } from 'node:http'
import type { Dispatcher } from '#lib/server/http/dispatch.ts'
import { serveNode } from '#lib/server/http/node-adapter.ts'
import { listen, stop } from '#test/support/listen.ts'

/** One way of serving an API. */
export interface Served {
  /** Like the web's `fetch`, at this path. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>
  readonly close: () => Promise<void>
}

/** As Next's route handlers serve it. */
export async function servedByWeb(dispatch: Dispatcher): Promise<Served> {
  return {
    send: (path, init) => dispatch(new Request(`http://localhost${path}`, init)),
    close: async () => undefined,
  }
}

/** As the built site serves it: Node's own server, over a connection. */
export async function servedByNode(dispatch: Dispatcher): Promise<Served> {
  const server = createServer(serveNode(dispatch))
  // A client that reuses a connection in the very moment in which it is closed for idleness would fail.
  server.keepAliveTimeout = 600_000
  const origin = `http://127.0.0.1:${await listen(server)}`
  return {
    send: (path, init) => fetch(`${origin}${path}`, init),
    close: () => stop(server),
  }
}

export const ADAPTERS = [
  ['web', servedByWeb],
  ['node', servedByNode],
] as const
