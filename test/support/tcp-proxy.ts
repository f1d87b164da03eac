import { createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from './listen.ts'

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>

/** A wire between a client and a server that can be cut, frozen, or led elsewhere. */
export async function startTcpProxy(targetPort: number) {
  const sockets = new Set<Socket>()
  let target = targetPort
  let frozen = false
  let refusing = false
  let delayMs = 0
  const add = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    if (frozen) socket.pause()
  }
  /** In order also when the delay changes. */
  const carry = (from: Socket, to: Socket): void => {
    let under: Promise<void> | undefined
    from.on('data', (chunk: Buffer) => {
      if (delayMs === 0 && under === undefined) return void to.write(chunk)
      const mine = (under ?? Promise.resolve())
        .then(() => sleep(delayMs))
        .then(() => {
          if (to.writable) to.write(chunk)
          if (under === mine) under = undefined
        })
      under = mine
    })
  }
  const server = createServer((client) => {
    if (refusing) return void client.resetAndDestroy()
    const upstream = dial(target, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      carry(one, other)
      one.on('close', () => other.destroy())
      add(one)
    }
  })
  const port = await listen(server)
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    /** The same URL with the proxy's place in it. */
    through: (url: string) => {
      const proxied = new URL(url)
      proxied.hostname = '127.0.0.1'
      proxied.port = String(port)
      return proxied.href
    },
    /** Leads new connections to another port, and ends the old ones. */
    leadTo(next: number) {
      target = next
      cut()
    },
    /** Both ends stay connected, and nothing arrives any more; new connections are accepted and stay silent. */
    freeze() {
      frozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      frozen = false
      for (const socket of sockets) socket.resume()
    },
    /** Like `freeze`, for the present connections alone and for good. */
    strand() {
      for (const socket of sockets) socket.pause()
    },
    /** Everything takes so many milliseconds longer; 0 for the speed of the machine. */
    slow(milliseconds: number) {
      delayMs = milliseconds
    },
    /** Ends every connection, and new ones as they come, until `accept`. */
    refuse() {
      refusing = true
      cut()
    },
    accept() {
      refusing = false
    },
    /** Ends every connection. */
    cut,
    /** The same, as a machine does that knows nothing of the connection any more. */
    reset: () => {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
