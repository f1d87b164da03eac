import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { listen, stop } from '#test/support/listen.ts'
import { createBodyReception } from '../../../scripts/site/reception.ts'

const servers: Server[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(servers.splice(0).map(stop))
})

const ledger = new UsageLedger()

async function serve(speed: { bytes: number; milliseconds: number }): Promise<number> {
  const receive = createBodyReception(ledger, { trustedProxies: 1, maxInWork: 32 }, speed)
  const server = createServer((request, response) => {
    if (!receive(request, response)) return
    request.resume().once('end', () => response.end('all'))
  })
  servers.push(server)
  return listen(server)
}

/** Sends the head of a request whose body is to come. */
async function begin(port: number, from: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\nContent-Length: 4\r\n\r\n`)
  return socket
}

async function statusOf(socket: Socket): Promise<string> {
  const [answer] = await once(socket, 'data')
  return String(answer).slice(9, 12)
}

test('one client sends a sixteenth of the bodies at a time; what it has ended counts no longer', async () => {
  const port = await serve({ bytes: 1, milliseconds: 60_000 })
  const held = [await begin(port, '203.0.113.1'), await begin(port, '203.0.113.1')]
  await expect.poll(() => ledger.held(['203.0.113.1'], 'bodies')).toBe(2)
  expect(await statusOf(await begin(port, '203.0.113.1'))).toBe('503')
  const other = await begin(port, '203.0.113.2')
  other.write('body')
  expect(await statusOf(other)).toBe('200')
  held[0]?.write('body')
  expect(await statusOf(held[0] as Socket)).toBe('200')
  held[1]?.destroy()
  await expect.poll(() => ledger.held(['203.0.113.1'], 'bodies')).toBe(0)
})

test('a body slower than the least speed ends with 408', async () => {
  const slow = await begin(await serve({ bytes: 100, milliseconds: 50 }), '203.0.113.3')
  slow.write('b')
  expect(await statusOf(slow)).toBe('408')
  await expect.poll(() => ledger.held(['203.0.113.3'], 'bodies')).toBe(0)
})
