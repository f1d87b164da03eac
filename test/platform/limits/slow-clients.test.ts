import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { limitSlowClients } from '#lib/server/http/node-request.ts'
import { listen } from '#test/support/listen.ts'

test('clients that read no response are disconnected when too much is buffered, the slowest first', async () => {
  // More than the system's buffers take.
  const body = Buffer.alloc(16_000_000)
  const count = limitSlowClients(40_000_000, 0)
  const given: ServerResponse[] = []
  const server = createServer((_, response) => {
    given.push(response)
    count(response, body.length)
    response.end(body)
  })
  const port = await listen(server)
  const clients: Socket[] = []
  onTestFinished(() => {
    for (const client of clients) client.destroy()
    server.close()
  })

  const read = await fetch(`http://127.0.0.1:${port}`)
  expect((await read.arrayBuffer()).byteLength).toBe(body.length)
  for (let asked = 0; asked < 3; asked++) {
    const client = connect(port, '127.0.0.1')
    clients.push(client)
    client.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(server, 'request')
  }
  expect(given.map(({ writableFinished }) => writableFinished)).toEqual([true, false, false, false])
  expect(given.slice(1).map(({ destroyed }) => destroyed)).toEqual([true, false, false])
})

test('while all buffered responses are recent, the next is refused', () => {
  const count = limitSlowClients(1_000_000)
  const response = () => new EventEmitter() as ServerResponse
  const [first, second, third] = [response(), response(), response()]
  expect(count(first, 900_000)).toBe(true)
  expect(count(second, 200_000)).toBe(false)
  // Small ones are not counted.
  expect(count(second, 1000)).toBe(true)
  first.emit('close')
  expect(count(second, 200_000)).toBe(true)
  expect(count(third, 2_000_000)).toBe(false)
  second.emit('close')
  // One alone is always allowed, however large.
  expect(count(third, 2_000_000)).toBe(true)
})
