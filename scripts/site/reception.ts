import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '#lib/platform/config.ts'
import { principalOf } from '#lib/platform/limits/principal.ts'
import type { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { clientKey } from '#lib/server/http/client-address.ts'
import { carriesBody } from '#lib/server/http/node-request.ts'

/** Part of all connections that one client may have. */
const CLIENT_SHARE = 1 / 16

/** Least speed of a body: so many bytes in each interval. Half of a slow mobile line, which may stand still for a while. */
const LEAST_SPEED = { bytes: 64 * 1024, milliseconds: 20_000 }

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
    if (ledger.currentLevel(principal, 'connections') >= server.maxConnections * CLIENT_SHARE) {
      socket.destroy()
      return
    }
    ledger.hold(principal, 'connections', 1)
    socket.once('close', () => ledger.hold(principal, 'connections', -1))
  })
}

/**
 * Ends bodies that come slower than `speed` with a 408, as Node does for those that take too long as a whole. How many
 * arrive at a time is bounded where they are read.
 */
export function endSlowBody(request: IncomingMessage, response: ServerResponse, speed = LEAST_SPEED): void {
  if (!carriesBody(request) || request.complete) return
  const { socket } = request
  let before = socket.bytesRead
  const timer = setInterval(() => {
    const isFastEnough = socket.bytesRead - before >= speed.bytes
    before = socket.bytesRead
    // What has arrived, or is paused here, waits for us.
    if (isFastEnough || request.complete || request.isPaused() || request.readableLength > 0) return
    if (!response.headersSent) socket.write(TIMEOUT)
    socket.destroySoon()
  }, speed.milliseconds).unref()
  const end = () => clearInterval(timer)
  request.once('end', end)
  request.once('close', end)
}
