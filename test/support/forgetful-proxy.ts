import { createServer, connect as dial, type Socket } from 'node:net'
import { listen } from './listen.ts'

/** Settings that poolers accept at the start of a connection; they refuse all others. */
const ACCEPTED = ['user', 'database', 'application_name', 'client_encoding', 'datestyle', 'timezone']

const SSL_REQUEST = 80_877_103
const DISCARD_ALL = message('Q', 'DISCARD ALL\0')

/**
 * A database of which every session forgets everything after each transaction: prepared statements, locks, settings and
 * `LISTEN`, as behind a pooler in transaction mode, but always and not only where the pooler changes the session. Takes no
 * other settings at the start of a connection than poolers do.
 */
export async function startForgetfulProxy(
  target: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { port: targetPort, hostname } = new URL(target)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = dial(Number(targetPort), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    carry(client, upstream)
  })
  const url = new URL(target)
  url.port = String(await listen(server))
  url.searchParams.set('pgbouncer', 'true')
  return {
    url: url.href,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function carry(client: Socket, upstream: Socket): void {
  let started = false
  /** Requests whose end the server has not reported. */
  let open = 0
  let held: Buffer | undefined
  let waiting: Buffer[] = []
  const send = (part: Buffer): void => {
    if (held !== undefined) return void waiting.push(part)
    // Q, S(ync) and F(unction call) are each answered by one ReadyForQuery.
    if (started && 'QSF'.includes(String.fromCharCode(part[0] as number))) open += 1
    upstream.write(part)
  }
  readMessages(
    client,
    () => started,
    (part) => {
      if (started) return send(part)
      if (part.readInt32BE(4) === SSL_REQUEST) return void client.write('N')
      started = true
      open = 1
      const refused = settingsOf(part).find((name) => !ACCEPTED.includes(name.toLowerCase()))
      if (refused === undefined) return void upstream.write(part)
      client.end(message('E', `SFATAL\0C08P01\0Munsupported startup parameter: ${refused}\0\0`))
    },
  )
  readMessages(
    upstream,
    () => true,
    (part) => {
      const ready = part[0] === 'Z'.charCodeAt(0)
      if (held !== undefined) {
        // The answer to DISCARD ALL.
        if (!ready) return
        client.write(held)
        held = undefined
        for (const each of waiting.splice(0)) send(each)
        return
      }
      if (ready) open -= 1
      if (!ready || open > 0 || part[5] !== 'I'.charCodeAt(0)) return void client.write(part)
      held = part
      waiting = []
      upstream.write(DISCARD_ALL)
    },
  )
}

/** Calls back with each whole message of the protocol; those before `typed` have no type. */
function readMessages(socket: Socket, typed: () => boolean, take: (part: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const header = typed() ? 1 : 0
      if (rest.length < header + 4) return
      const size = header + rest.readInt32BE(header)
      if (rest.length < size) return
      const part = rest.subarray(0, size)
      rest = rest.subarray(size)
      // Both forms have the length at 0 or 1; callers read a request without a type by its own offsets.
      take(part)
    }
  })
}

function settingsOf(start: Buffer): string[] {
  const texts = start.subarray(8).toString().split('\0')
  return texts.filter((text, i) => i % 2 === 0 && text !== '')
}

function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}
