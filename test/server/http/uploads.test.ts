import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Failure } from '#lib/protocol/failure.ts'
import { type CompletedRequest, createDispatcher } from '#lib/server/http/dispatch.ts'
import { chainErrors } from '#lib/server/http/errors.ts'
import { serveNode } from '#lib/server/http/node-adapter.ts'
import { defineOperation } from '#lib/server/http/operation.ts'
import { bareServices } from '#test/support/bare-services.ts'
import { listen, stop } from '#test/support/listen.ts'

/*
 * Bodies that no honest client sends, byte by byte over a connection to Node's server.
 */

const LIMIT = 1000
const facts = {
  api: 'chain',
  tag: 't',
  summary: 's',
  description: 'd',
  method: 'POST',
  auth: 'none',
} as const

const operations = [
  defineOperation({
    ...facts,
    id: 'POST_text',
    path: '/text',
    request: { body: z.strictObject({ text: z.string() }), maxBodyBytes: LIMIT },
    responses: { 200: { description: 'x', schema: z.object({ length: z.number() }) } },
    handler: async (_, { body }) => ({ status: 200, body: { length: body.text.length } }),
  }),
  defineOperation({
    ...facts,
    id: 'POST_file',
    path: '/file',
    request: { file: { field: 'bundle', maxBytes: LIMIT, description: 'x' } },
    responses: { 200: { description: 'x', schema: z.object({ bytes: z.number() }) } },
    handler: async (_, { file }) => ({ status: 200, body: { bytes: file.byteLength } }),
  }),
  ...(['protected', 'limited', 'busy'] as const).map((name) =>
    defineOperation({
      ...facts,
      id: `POST_${name}`,
      path: `/${name}`,
      auth: name === 'protected' ? 'chain' : 'none',
      ...(name === 'limited' && { limit: 'write' }),
      ...(name === 'busy' && { precheck: () => refuse('overloaded') }),
      request: { body: z.strictObject({}) },
      responses: { 200: { description: 'x' } },
      handler: async () => ({ status: 200 }),
    }),
  ),
]

function refuse(code: 'unauthenticated' | 'too_many' | 'overloaded'): never {
  throw new Failure(code, 'not now')
}

const services = bareServices({ rateLimiter: { take: async () => refuse('too_many') } as never })
const answers: CompletedRequest[] = []
const dispatch = createDispatcher(operations, {
  base: '/chain',
  services: async () => services,
  errors: chainErrors,
  authenticate: async () => refuse('unauthenticated'),
  observe: (answer) => answers.push(answer),
})
const server = createServer(serveNode(dispatch))
let port: number
beforeAll(async () => {
  port = await listen(server)
})
afterAll(() => stop(server))

/** A connection, and everything that came over it so far. */
async function open(): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  // Cut by the server while this still sends.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return { socket, received: () => received }
}

function head(path: string, ...headers: string[]) {
  return `${['POST', path, 'HTTP/1.1'].join(' ')}\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`
}
const JSON_TYPE = 'Content-Type: application/json'
const FORM_TYPE = 'Content-Type: multipart/form-data; boundary=b'
function chunk(text: string) {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}

function closed(socket: Socket) {
  return new Promise((resolve) => socket.once('close', resolve))
}

/** Sends `text` again and again until the connection is cut. */
async function sendForEver(socket: Socket, text: string): Promise<number> {
  let sent = 0
  const cut = closed(socket)
  const more = () => {
    while (!socket.destroyed && socket.write(text)) sent += text.length
  }
  socket.on('drain', more)
  more()
  await cut
  return sent
}

test.each([
  ['JSON', head('/chain/text', JSON_TYPE, `Content-Length: ${LIMIT + 1}`)],
  ['a form', head('/chain/file', FORM_TYPE, `Content-Length: ${10 * 1024 * 1024}`)],
])('%s that announces too much is 413 before a byte of it is sent', async (_, request) => {
  const { socket, received } = await open()
  socket.write(request)
  await expect.poll(received).toMatch(/^HTTP\/1\.1 413 /)
  socket.destroy()
})

test.each([
  ['JSON', head('/chain/text', JSON_TYPE, 'Transfer-Encoding: chunked'), chunk(' '.repeat(10_000))],
  [
    'a file',
    head('/chain/file', FORM_TYPE, 'Transfer-Encoding: chunked') +
      chunk('--b\r\nContent-Disposition: form-data; name="bundle"; filename="x"\r\n\r\n'),
    chunk('x'.repeat(10_000)),
  ],
])('%s without end is answered with 413, and then cut', async (_, request, endless) => {
  const { socket, received } = await open()
  socket.write(request)
  const sent = await sendForEver(socket, endless)
  expect(received()).toMatch(/^HTTP\/1\.1 413 /)
  expect(sent).toBeGreaterThan(LIMIT)
})

test('a client that has its answer and just stays is cut', async () => {
  const { socket, received } = await open()
  socket.write(head('/chain/text', JSON_TYPE, `Content-Length: ${LIMIT + 1}`))
  await closed(socket)
  expect(received()).toMatch(/^HTTP\/1\.1 413 /)
})

const BODY = 1_153_434

/** A program that reads only once it has written everything, as many do. Resolves with the status, or what broke. */
async function writeThenRead(path: string, headers: string, ms: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause()
  const broken = new Promise<string>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
  const chunked = headers.includes('chunked')
  const part = ' '.repeat(BODY / 18)
  const work = async () => {
    await once(socket, 'connect')
    socket.write(head(path, JSON_TYPE, headers))
    for (let i = 0; i < 18; i++) {
      if (!socket.write(chunked ? chunk(part) : part)) await once(socket, 'drain')
      if (ms > 0) await sleep(ms / 18)
    }
    if (chunked) socket.write('0\r\n\r\n')
    let received = ''
    for await (const text of socket.setEncoding('latin1')) {
      received += text
      if (received.includes('\r\n\r\n')) break
    }
    return received.slice(9, 12)
  }
  const answer = await Promise.race([work(), broken])
  socket.destroy()
  return answer
}

test.each([
  ['413', '/chain/text', ''],
  ['415', '/chain/text', 'Content-Encoding: gzip'],
  ['404', '/chain/none', ''],
  ['401', '/chain/protected', ''],
  ['429', '/chain/limited', ''],
  ['503', '/chain/busy', ''],
])('a client that still writes receives %s, fast or slow', async (status, path, header) => {
  const lengths = [`Content-Length: ${BODY}`, 'Transfer-Encoding: chunked']
  const kinds = lengths.flatMap((length) => [length, `${length}\r\nConnection: close`])
  const all = kinds.map((kind) => (header === '' ? kind : `${kind}\r\n${header}`))
  const fast = Array.from({ length: 20 }, (_, i) => writeThenRead(path, all[i % 4] as string, 0))
  // Longer than a server that closes after its response would wait.
  const slow = all.map((headers) => writeThenRead(path, headers, 3_000))
  const answers = await Promise.all([...fast, ...slow])
  expect(answers).toEqual(answers.map(() => status))
})

test('a connection whose body came whole serves the next request, too', async () => {
  const { socket, received } = await open()
  socket.write(head('/chain/text', JSON_TYPE, `Content-Length: ${LIMIT + 1}`) + ' '.repeat(LIMIT + 1))
  await expect.poll(received).toContain('\r\n\r\n{')
  socket.write(`${head('/chain/text', JSON_TYPE, 'Content-Length: 12')}{"text":"a"}`)
  await expect.poll(received).toContain('{"length":1}')
  socket.destroy()
})

test('a body that breaks off is a 400 that no client receives', async () => {
  const { socket } = await open()
  const before = answers.length
  socket.write(`${head('/chain/text', JSON_TYPE, 'Content-Length: 12')}{"te`)
  socket.end()
  await expect.poll(() => answers.slice(before).map(({ status }) => status)).toEqual([400])
})
