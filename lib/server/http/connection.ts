import type { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { processStorage } from '#lib/platform/telemetry/process-storage.ts'
import { isLoopback } from '#lib/protocol/dev-chain.ts'

/** The connection of a request. */
export interface Connection {
  /** Address of the client, or of the proxy in front of this server. */
  readonly remoteAddress?: string | undefined
  readonly localAddress?: string | undefined
  readonly localPort?: number | undefined
  /** Whether a proxy added its headers to the request. */
  readonly proxied?: boolean
}

declare global {
  var weftFollowsConnections: boolean | undefined
}

const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

/** The connection of the current request, for handlers that have a web `Request` only. */
export function connections(): AsyncLocalStorage<Connection> {
  return processStorage('connections')
}

/** Records the connection of every request to an HTTP server of this process; idempotent. */
export function followConnections(): void {
  if (globalThis.weftFollowsConnections) return
  globalThis.weftFollowsConnections = true
  const storage = connections()
  subscribe('http.server.request.start', (message) => {
    const { headers, socket } = (message as { request: IncomingMessage }).request
    const { remoteAddress, localAddress, localPort } = socket
    const proxied = PROXY_HEADERS.some((name) => headers[name] !== undefined)
    storage.enterWith({ remoteAddress, localAddress, localPort, proxied })
  })
}

/** Whether both ends of a connection are this machine, without a proxy in between; false when unknown. */
export function isLocal(connection: Connection | undefined): connection is Connection {
  const { remoteAddress = '', localAddress = '', proxied } = connection ?? {}
  return isLoopback(remoteAddress) && isLoopback(localAddress) && proxied !== true
}

/**
 * Whether a request comes from a page of this site in a browser on this machine. Browsers send `Origin` with every POST,
 * and no page can choose it: it is compared with the configuration and with the port of the connection, never with
 * `Host`. A program can choose it, which is why both ends of the connection have to be local.
 */
export function isLocalPage(
  siteOrigin: string,
  origin: string | null,
  connection: Connection | undefined,
): boolean {
  if (origin === null || !isLocal(connection)) return false
  if (origin === siteOrigin) return true
  const hostname = URL.parse(origin)?.hostname ?? ''
  return isLoopback(hostname) && origin === `http://${hostname}:${connection.localPort}`
}
