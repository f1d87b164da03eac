import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A wire over which everything arrives, later. */
export interface SlowWire {
  through(url: string): string
  /** From now on, in milliseconds, each way. */
  delay(milliseconds: number): void
  close(): void
}

export async function startSlowWire(target: number): Promise<SlowWire> {
  let wait = 0
  const sockets = new Set<Socket>()
  const lead = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', (bytes) => {
      setTimeout(() => to.write(bytes), wait)
    })
    from.on('error', () => {})
    from.on('close', () => to.destroy())
  }
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    lead(client, upstream)
    lead(upstream, client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    through: (url) => {
      const led = new URL(url)
      led.hostname = '127.0.0.1'
      led.port = String((server.address() as AddressInfo).port)
      return led.href
    },
    delay: (milliseconds) => {
      wait = milliseconds
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
