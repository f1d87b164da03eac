import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'

/** Listener for one channel: everything that arrives there came out of the World. */
export interface Trap {
  readonly port: number
  /** First bytes of each connection and datagram, empty for a connection that sent nothing. */
  readonly caught: readonly string[]
  close(): Promise<void>
}

/** A trap on a TCP and a UDP port of the same number. */
export async function openTrap(): Promise<Trap> {
  for (;;) {
    const caught: string[] = []
    const sockets = new Set<Socket>()
    const tcp = createServer((socket) => {
      const index = caught.push('tcp') - 1
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
      socket.once('data', (data) => {
        caught[index] = `tcp ${data.subarray(0, 100).toString('latin1').split('\r\n', 1)[0]}`
        socket.end(reply(data.toString('latin1')))
      })
    })
    const port = await new Promise<number>((resolve) =>
      tcp.listen(0, '0.0.0.0', () => resolve((tcp.address() as AddressInfo).port)),
    )
    const udp = createSocket('udp4')
    udp.on('message', (data) => caught.push(`udp ${data.byteLength} bytes`))
    const bound = await new Promise<boolean>((resolve) => {
      udp.once('error', () => resolve(false))
      udp.bind(port, '0.0.0.0', () => resolve(true))
    })
    const close = async () => {
      for (const socket of sockets) socket.destroy()
      if (bound) udp.close()
      await new Promise((resolve) => tcp.close(resolve))
    }
    if (bound) return { port, caught, close }
    await close()
  }
}

/** A valid response, so that channels that probe first proceed. */
function reply(request: string): string {
  const body = '<!doctype html><title>trap</title>'
  return [
    request.startsWith('OPTIONS') ? 'HTTP/1.1 204 No Content' : 'HTTP/1.1 200 OK',
    'Access-Control-Allow-Origin: *',
    'Access-Control-Allow-Headers: *',
    'Access-Control-Allow-Private-Network: true',
    'Content-Type: text/html',
    `Content-Length: ${request.startsWith('OPTIONS') ? 0 : body.length}`,
    'Connection: close',
    '',
    request.startsWith('OPTIONS') ? '' : body,
  ].join('\r\n')
}
