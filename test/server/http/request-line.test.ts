import { createServer } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refuseTwoHosts } from '#lib/server/http/node-request.ts'
import { listen } from '#test/support/listen.ts'

const server = createServer((request, response) => {
  if (!refuseTwoHosts(request, response)) response.end(`served ${request.headers.host}`)
})
let port: number
beforeAll(async () => {
  port = await listen(server)
})
afterAll(() => void server.close())

/** The answer to these lines, as text. */
function send(...lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}

test('one Host is served', async () => {
  expect(await send('GET / HTTP/1.1', 'Host: a', 'Connection: close')).toMatch(
    /^HTTP\/1\.1 200 [\s\S]*served a$/,
  )
})

test.each([
  ['two names', ['Host: a', 'Host: b']],
  ['the same name twice', ['Host: a', 'Host: a']],
  ['in other spellings', ['host: a', 'X-Other: 1', 'HOST: b']],
  ['an empty one', ['Host: a', 'Host:']],
  ['none', []],
])('400: %s', async (_what, hosts) => {
  expect(await send('GET / HTTP/1.1', ...hosts, 'Connection: close')).toMatch(/^HTTP\/1\.1 400 /)
})
