import { connect, type Socket } from 'node:net'

/** Where the driver means to connect to: several hosts are tried in turn. */
export interface Destination {
  readonly host: readonly string[]
  readonly port: readonly number[]
  /** Of a Unix socket, in place of hosts. */
  readonly path: string | false | undefined
}

/** How many times within the time allowed a connection is looked at. */
const LOOKS = 10

/**
 * Makes the sockets of a pool: one on which nothing came or went for `silenceMs` ends. So a statement that never gets an
 * answer fails, be it that the other end vanished without a word, a pooler waits for a server, or a lock is not given
 * back; and its connection, which could not be used again, makes room for another. Idle ones end as well, and unnoticed.
 *
 * The server is not asked to set the limit: poolers between refuse settings they do not know.
 *
 * @returns what the driver takes as its option `socket`.
 */
export function watchedSockets(silenceMs: number): (to: Destination) => Socket {
  let attempts = 0
  return ({ host, port, path }) => {
    const turn = attempts++ % host.length
    // The driver adds its listeners before anything can happen, and writes before there is a connection: both is fine.
    const socket = path ? connect(path) : connect(port[turn] as number, host[turn] as string)
    // It is the name that a certificate has to be for.
    Object.assign(socket, { host: host[turn], port: port[turn] })
    watch(socket, silenceMs)
    return socket
  }
}

/** Counts bytes, which works with TLS above it too, where the driver takes every listener away. */
function watch(socket: Socket, silenceMs: number): void {
  let seen = -1
  let silentSince = performance.now()
  const look = (): void => {
    const bytes = socket.bytesRead + socket.bytesWritten
    if (socket.destroyed) clearInterval(timer)
    else if (bytes !== seen) {
      seen = bytes
      silentSince = performance.now()
    } else if (performance.now() - silentSince >= silenceMs) socket.destroy()
  }
  const timer = setInterval(look, silenceMs / LOOKS).unref()
}
