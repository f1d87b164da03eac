import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '#lib/platform/config.ts'
import { principalOf } from '#lib/platform/limits/principal.ts'
import type { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { clientKey } from '#lib/server/http/client-address.ts'
import { carriesBody } from '#lib/server/http/node-request.ts'

/** Part of all connections that one client may have, and of the bodies that arrive at a time. */
const CLIENT_SHARE = 1 / 16

/** Least speed of a body: so many bytes in each interval. A quarter of a slow mobile line. */
const LEAST_SPEED = { bytes: 160 * 1024, milliseconds: 10_000 }

const TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
const NO_HEADERS = { get: () => null }

/**
 * Counts the connections of a server by client, before a byte of a request is read: those beyond a client's part are
 * closed. Behind a proxy all are the proxy's, which limits them itself.
 */
export function countConnections(
  server: Server,
  ledger: UsageLedger,
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
): void {
  if (trustedProxies > 0) return
  server.on('connection', (socket: Socket) => {
    const principal = principalOf(clientKey({ peer: socket.remoteAddress, headers: NO_HEADERS }, 0))
    if (principal === undefined) return
    if (ledger.held(principal, 'connections') >= server.maxConnections * CLIENT_SHARE) {
      socket.destroy()
      return
    }
    ledger.hold(principal, 'connections', 1)
    socket.once('close', () => ledger.hold(principal, 'connections', -1))
  })
}

/**
 * Counts the bodies that arrive at a time by client, and ends those that come slower than `speed` with a 408, as Node does
 * for those that take too long as a whole.
 */
export function createBodyReception(
  ledger: UsageLedger,
  { trustedProxies, maxInWork }: Pick<Config, 'trustedProxies' | 'maxInWork'>,
  speed = LEAST_SPEED,
) {
  /** @returns false when the request was refused. */
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!carriesBody(request) || request.complete) return true
    const { socket } = request
    const forwarded = request.headersDistinct['x-forwarded-for']?.join(',') ?? null
    const principal = principalOf(
      clientKey({ peer: socket.remoteAddress, headers: { get: () => forwarded } }, trustedProxies),
    )
    if (ledger.held(principal, 'bodies') >= Math.max(1, maxInWork * CLIENT_SHARE)) {
      response.writeHead(503, { 'Retry-After': '2', Connection: 'close' }).end()
      return false
    }
    ledger.hold(principal, 'bodies', 1)
    let before = socket.bytesRead
    const timer = setInterval(() => {
      if (socket.bytesRead - before >= speed.bytes) {
        before = socket.bytesRead
        return
      }
      // What has arrived, or is paused here, waits for us.
      if (request.complete || request.isPaused() || request.readableLength > 0) return
      if (!response.headersSent) socket.write(TIMEOUT)
      socket.destroySoon()
    }, speed.milliseconds).unref()
    let held = true
    const end = () => {
      clearInterval(timer)
      if (held) ledger.hold(principal, 'bodies', -1)
      held = false
    }
    request.once('end', end)
    request.once('close', end)
    return true
  }
}
