import { createServer, connect as dial, type Socket } from 'node:net'

/** A wire between a client and a server that can be cut, frozen, or led elsewhere. */
export interface TcpProxy {
  readonly port: number
  /** The same URL with the proxy's place in it. */
  through(url: string): string
  /** Leads new connections to another port, and ends the old ones. */
  leadTo(port: number): void
  /** Both ends stay connected, and nothing arrives any more; new connections are accepted and stay silent. */
  freeze(): void
  thaw(): void
  /** Ends every connection. */
  cut(): void
  close(): Promise<void>
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let target = targetPort
  let frozen = false
  const add = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    if (frozen) socket.pause()
  }
  const server = createServer((client) => {
    const upstream = dial(target, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('data', (chunk: Buffer) => other.write(chunk))
      one.on('close', () => other.destroy())
      add(one)
    }
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    through: (url) => {
      const proxied = new URL(url)
      proxied.hostname = '127.0.0.1'
      proxied.port = String(port)
      return proxied.href
    },
    leadTo(next) {
      target = next
      cut()
    },
    freeze() {
      frozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      frozen = false
      for (const socket of sockets) socket.resume()
    },
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
