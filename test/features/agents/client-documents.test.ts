import { createServer, type RequestListener } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRegistered, readClient } from '#lib/features/agents/agent-clients.ts'
import { listen } from '#test/support/listen.ts'

const CALLBACK = 'http://127.0.0.1/callback'

let origin: string
let respond: RequestListener
let asked = 0
let now = new Date('2026-11-24T12:00:00Z')
const server = createServer((request, response) => {
  asked++
  respond(request, response)
})

beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(server)}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

function read(id: string, webhooksAllowLoopback = true, share: string | undefined = 'one account') {
  const config = {
    siteOrigin: 'https://weft.example',
    chainTokenKey: new Uint8Array(32),
    webhooksAllowLoopback,
  }
  return readClient({ config: config as never, clock: () => now }, id, share)
}

/** Serves a document whose id is its address, changed in some places. */
function serve(
  change: object = {},
  { status = 200, type = 'application/json', ...headers }: Record<string, string | number> = {},
): void {
  respond = ({ url }, response) => {
    const document = { client_id: `${origin}${url}`, client_name: 'Composer', redirect_uris: [CALLBACK] }
    response.writeHead(Number(status), { 'content-type': String(type), ...headers })
    response.end(JSON.stringify({ ...document, ...change }))
  }
}

test('an application is known by the document at its id, asked for once in ten minutes', async () => {
  serve()
  const id = `${origin}/good.json`
  asked = 0
  const client = await read(id)
  expect(client).toEqual({ name: `Composer (${new URL(origin).host})`, redirectUris: [CALLBACK] })
  expect(isRegistered(client, 'http://127.0.0.1:5000/callback')).toBe(true)
  expect(isRegistered(client, 'https://attacker.example/callback')).toBe(false)
  await read(id)
  expect(asked).toBe(1)
  now = new Date(now.getTime() + 10 * 60_000)
  serve({ redirect_uris: ['https://composer.example/new'] })
  expect((await read(id)).redirectUris).toEqual(['https://composer.example/new'])
})

test.each([
  ['another client_id', { client_id: 'https://victim.example/client.json' }, {}, 'another client_id'],
  ['an address of a script', { redirect_uris: ['javascript:alert(1)'] }, {}, 'redirect_uris'],
  ['plain HTTP elsewhere', { redirect_uris: ['http://attacker.example/'] }, {}, 'redirect_uris'],
  ['no addresses', { redirect_uris: undefined }, {}, 'redirect_uris'],
  ['a secret', { client_secret: 'x' }, {}, 'without a secret'],
  ['a secret to come', { token_endpoint_auth_method: 'client_secret_post' }, {}, 'without a secret'],
  ['5 KiB and more', { client_uri: 'x'.repeat(5 * 1024) }, {}, 'bytes'],
  ['a page', {}, { type: 'text/html' }, 'no JSON'],
  ['an error', {}, { status: 404 }, 'a 404'],
  ['a redirect to this machine', {}, { status: 302, location: 'http://169.254.169.254/' }, 'a 302'],
])('a document with %s is refused, and fetched again after a minute', async (_, change, headers, reason) => {
  const id = `${origin}/hostile.json`
  serve(change, headers)
  await expect(read(id)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(reason),
  })
  serve()
  asked = 0
  await expect(read(id)).rejects.toMatchObject({ code: 'invalid_request' })
  expect(asked).toBe(0)
  now = new Date(now.getTime() + 60_001)
  expect((await read(id)).redirectUris).toEqual([CALLBACK])
  now = new Date(now.getTime() + 10 * 60_000)
})

test('visitors make no request, and read what an account had fetched', async () => {
  serve()
  const id = `${origin}/visited.json`
  asked = 0
  const config = { siteOrigin: 'https://weft.example', webhooksAllowLoopback: true }
  const visit = () => readClient({ config: config as never, clock: () => now }, id, undefined)
  await expect(visit()).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(asked).toBe(0)
  await read(id)
  expect((await visit()).redirectUris).toEqual([CALLBACK])
  expect(asked).toBe(1)
})

test.each([
  'https://127.0.0.1/client.json',
  'https://169.254.169.254/latest/meta-data',
  'https://[::ffff:10.0.0.1]/client.json',
  'https://metadata.google.internal/client.json',
  'http://composer.example/client.json',
  'https://composer.example:8443/client.json',
  'https://user:word@composer.example/client.json',
  'https://composer.example/',
  'https://composer.example/client.json#x',
  'https://composer.example/client.json?x=1',
  'https://composer.example/a/../client.json',
  'HTTPS://composer.example/client.json',
  `https://composer.example/${'x'.repeat(500)}`,
])('no request is made for %s', async (id) => {
  await expect(read(id, false)).rejects.toMatchObject({ code: 'invalid_request' })
})

test('endless answers and many at a time do not hold the server', async () => {
  respond = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const write = () => {
      while (!response.destroyed && response.write(' '.repeat(4096)));
    }
    response.on('drain', write)
    write()
  }
  await expect(read(`${origin}/endless.json`)).rejects.toMatchObject({ code: 'invalid_request' })

  const waiting: (() => void)[] = []
  respond = (_, response) => void waiting.push(() => response.destroy())
  const readSlow = (name: string, share: string) =>
    read(`${origin}/${name}.json`, true, share).catch(({ message }: Error) => message)
  const slow = [readSlow('slow0', 'one account'), readSlow('slow1', 'one account')]
  const busy = { code: 'too_many' }
  await expect(read(`${origin}/slow2.json`)).rejects.toMatchObject(busy)
  // From the same host, for another account.
  await expect(read(`${origin}/slow2.json`, true, 'another')).rejects.toMatchObject(busy)
  while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  for (const end of waiting) end()
  expect(await Promise.all(slow)).toEqual(Array(2).fill(expect.stringContaining('cannot be fetched')))

  serve()
  for (let n = 0; n < 20; n += 1) await readSlow(`quick${n}`, 'one account')
  await expect(read(`${origin}/last.json`)).rejects.toMatchObject(busy)
  expect(await read(`${origin}/last.json`, true, 'another')).toHaveProperty('name')
  now = new Date(now.getTime() + 60_001)
  expect(await read(`${origin}/last.json`)).toHaveProperty('name')
})
