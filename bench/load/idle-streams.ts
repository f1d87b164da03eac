import { connect, type Socket } from 'node:net'

export interface IdleStreams {
  /** How many are still open. */
  open(): number
  close(): void
}

/** Beyond every delta: who asks from the beginning is sent all that is kept, and is not idle. */
const FAR = 9_000_000_000

/** Readers of the feed's stream that wait for something to happen, as most do most of the time. */
export async function openIdleStreams(origin: string, count: number): Promise<IdleStreams> {
  const { hostname, port } = new URL(origin)
  const sockets: Socket[] = []
  let open = 0
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) })
      socket.once('data', (chunk: Buffer) => {
        const status = chunk.toString('latin1', 9, 12)
        if (status !== '200') return reject(new Error(`a stream was refused with ${status}`))
        open += 1
        socket.once('close', () => {
          open -= 1
        })
        resolve()
      })
      socket.on('error', reject)
      socket.once('close', () => reject(new Error('a stream was closed')))
      socket.on('data', () => {})
      socket.write(`GET /chain/feed/stream?since_seq=${FAR} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
      sockets.push(socket)
    })
  for (let tries = 0; open < count; ) {
    const batch = Array.from({ length: Math.min(50, count - open) }, one)
    const failed = (await Promise.allSettled(batch)).find(({ status }) => status === 'rejected')
    // A machine that is busy with something else may let a connection wait for too long.
    if (failed?.status === 'rejected' && ++tries > 20) throw failed.reason
  }
  return {
    open: () => open,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
