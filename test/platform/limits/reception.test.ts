import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { countConnections, endSlowBody } from '#scripts/site/reception.ts'
import { listen, stop } from '#test/support/listen.ts'

const servers: Server[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(servers.splice(0).map(stop))
})

async function serve(speed: { bytes: number; milliseconds: number }): Promise<Server> {
  const server = createServer((request, response) => {
    endSlowBody(request, response, speed)
    request.resume().once('end', () => response.end('all'))
  })
  servers.push(server)
  await listen(server)
  return server
}

async function dial(server: Server): Promise<Socket> {
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n'

async function statusOf(socket: Socket): Promise<string> {
  const [answer] = await once(socket, 'data')
  return String(answer).slice(9, 12)
}

test('a body slower than the least speed ends with 408', async () => {
  const slow = await dial(await serve({ bytes: 100, milliseconds: 50 }))
  slow.write(`${HEAD}b`)
  expect(await statusOf(slow)).toBe('408')
  await once(slow, 'close')
})

test('a slow body that is fast enough arrives, however long it takes', async () => {
  const slow = await dial(await serve({ bytes: 1, milliseconds: 1_000 }))
  slow.write(HEAD)
  for (let sent = 0; sent < 20; sent++) {
    slow.write('bo')
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  expect(await statusOf(slow)).toBe('200')
})

test('one client has a sixteenth of the connections; what it closes counts no longer', async () => {
  const server = await serve({ bytes: 1, milliseconds: 60_000 })
  server.maxConnections = 32
  const ledger = new UsageLedger()
  countConnections(server, ledger, { trustedProxies: 0 })
  // Programs on this machine are not limited.
  server.prependListener('connection', (socket: Socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: '203.0.113.1', configurable: true })
  })
  const held = [await dial(server), await dial(server)]
  const count = () => ledger.currentLevel(['203.0.113.1'], 'connections')
  await expect.poll(count).toBe(2)
  await once(await dial(server), 'close')
  held[0]?.destroy()
  await expect.poll(count).toBe(1)
  const again = await dial(server)
  again.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(await statusOf(again)).toBe('200')
})
