import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Record of a server under load. */
export interface LoadResult {
  readonly requestsPerSecond: number
  /** Milliseconds of the processor that the server's process spent on a thousand requests; not known everywhere. */
  readonly cpuMsPerThousand: number | undefined
}

const CONNECTIONS = 32
const TICKS_PER_SECOND = 100

/**
 * Repeatedly requests one path on keep-alive connections. The client does next to nothing, because it shares the
 * machine with the server: it counts bytes and expects every response to be as long as the first.
 *
 * @param pid process of the server.
 */
export async function load(
  origin: string,
  path: string,
  { milliseconds, pid }: { readonly milliseconds: number; readonly pid: number },
): Promise<LoadResult> {
  const { hostname, port } = new URL(origin)
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
  const length = await lengthOf(hostname, Number(port), request)
  let answered = 0
  let running = true
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  const sockets: Socket[] = []
  for (let i = 0; i < CONNECTIONS; i++) {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let missing = length
    socket.on('data', (chunk: Buffer) => {
      if (missing === length && chunk.toString('latin1', 9, 12) !== '200') {
        failed.reject(new Error(`${path}: ${chunk.toString('latin1', 0, 200)}`))
      }
      missing -= chunk.length
      if (missing < 0) failed.reject(new Error(`${path}: answers differ in length`))
      if (missing !== 0) return
      answered += 1
      missing = length
      if (running) socket.write(request)
    })
    socket.on('error', (error) => running && failed.reject(error))
    socket.write(request)
    sockets.push(socket)
  }
  try {
    await Promise.race([sleep(100), failed.promise])
    const before = { answered, cpu: cpuMs(pid), at: performance.now() }
    await Promise.race([sleep(milliseconds), failed.promise])
    const requests = answered - before.answered
    const cpu = cpuMs(pid)
    const seconds = (performance.now() - before.at) / 1000
    return {
      requestsPerSecond: requests / seconds,
      cpuMsPerThousand:
        cpu === undefined || before.cpu === undefined ? undefined : ((cpu - before.cpu) / requests) * 1000,
    }
  } finally {
    running = false
    for (const socket of sockets) socket.destroy()
  }
}

/** Bytes of one answer, head and all. */
async function lengthOf(host: string, port: number, request: Buffer): Promise<number> {
  const socket = connect({ host, port })
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  let before = -1
  try {
    // An answer that is not there yet, or not whole, grows.
    for (socket.write(request); bytes === 0 || bytes !== before; await sleep(150)) before = bytes
    return bytes
  } finally {
    socket.destroy()
  }
}

/** CPU time of a process so far, in milliseconds; undefined where the platform does not report it. */
export function cpuMs(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}
