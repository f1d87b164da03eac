import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { MemoryBudget } from '#lib/platform/limits/memory-budget.ts'
import { openPlaces } from '#lib/platform/limits/places.ts'
import type { RateLimiter } from '#lib/platform/limits/rate-limiter.ts'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { currentRequest } from '#lib/platform/telemetry/request-scope.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { connections, followConnections } from '#lib/server/http/connection.ts'
import { createDispatcher } from '#lib/server/http/dispatch.ts'
import { chainErrors } from '#lib/server/http/errors.ts'
import { serveNode } from '#lib/server/http/node-adapter.ts'
import { defineOperation } from '#lib/server/http/operation.ts'
import { createPageLimits } from '#scripts/site/page-limits.ts'
import { SERVER_LIMITS } from '#scripts/site/server-limits.ts'
import { bareServices } from '#test/support/bare-services.ts'
import { testConfig } from '#test/support/config.ts'
import { listen, stop } from '#test/support/listen.ts'

const servers: Server[] = []
afterEach(() => Promise.all(servers.splice(0).map(stop)))

async function serve(listener: RequestListener, options: ServerOptions = {}): Promise<string> {
  const server = createServer(options, listener)
  // As the pages' framework does.
  server.on('upgrade', () => undefined)
  servers.push(server)
  return `http://127.0.0.1:${await listen(server)}`
}

/** Work that ends when the test releases it. */
function heldWork() {
  const held: (() => void)[] = []
  return {
    hold: () => new Promise<void>((resolve) => held.push(resolve)),
    count: () => held.length,
    release: () => {
      for (const resolve of held.splice(0)) resolve()
    },
  }
}

/** An API with one operation, whose work is held; `trustedProxies` is 1. */
function api(maxInWork: number, maxBytes = 1_000_000) {
  const work = heldWork()
  const post = defineOperation({
    id: 'POST_work',
    api: 'chain',
    path: '/work',
    tag: 'x',
    summary: 'x',
    description: 'x',
    auth: 'none',
    request: { body: z.strictObject({}) },
    responses: { 200: { description: 'x' } },
    handler: async () => {
      await work.hold()
      return { status: 200 }
    },
  })
  const services = bareServices({
    config: testConfig({ trustedProxies: 1, maxInWork }),
    memory: new MemoryBudget(new UsageLedger(), maxBytes),
  })
  const dispatch = createDispatcher([post], {
    base: '/chain',
    services: async () => services,
    errors: chainErrors,
    authenticate: () => Promise.reject(new Error('nothing here authenticates')),
  })
  return { work, places: services.places, listener: serveNode(dispatch) as RequestListener }
}

function ask(origin: string, from?: string, body = '{}') {
  return fetch(`${origin}/chain/work`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...(from !== undefined && { 'X-Forwarded-For': from }) },
  })
}

async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('requests in work', () => {
  test('beyond the limit 503 at once, and none of them waits', async () => {
    const { work, listener } = api(4)
    const origin = await serve(listener)
    const inside = Array.from({ length: 4 }, () => ask(origin))
    await until(() => work.count() === 4)
    for (const refused of await Promise.all(Array.from({ length: 50 }, () => ask(origin)))) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await refused.json()).toEqual({ message: 'The server is busy; try again shortly' })
    }
    expect(work.count()).toBe(4)
    work.release()
    for (const answer of await Promise.all(inside)) expect(answer.status).toBe(200)
    const after = ask(origin)
    await until(() => work.count() === 1)
    work.release()
    expect((await after).status).toBe(200)
  })

  test('one client gets a sixteenth of the slots', async () => {
    const { work, listener } = api(32)
    const origin = await serve(listener)
    const greedy = [ask(origin, '203.0.113.1'), ask(origin, '203.0.113.1')]
    await until(() => work.count() === 2)
    expect((await ask(origin, '203.0.113.1')).status).toBe(503)
    const other = ask(origin, '203.0.113.2')
    await until(() => work.count() === 3)
    work.release()
    expect((await Promise.all([...greedy, other])).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('a slow body takes no slot', async () => {
    const { work, listener } = api(1)
    const origin = await serve(listener)
    const slow = await dial(origin)
    slow.write('POST /chain/work HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n')
    slow.write('Content-Length: 2\r\n\r\n{')
    const quick = ask(origin)
    await until(() => work.count() === 1)
    work.release()
    expect((await quick).status).toBe(200)
    slow.destroy()
  })

  test('of one client 64 bodies arrive at a time, and those of others all the same', async () => {
    const { work, places, listener } = api(1)
    const origin = await serve(listener)
    const greedy = '203.0.113.1'
    const arriving = await Promise.all(Array.from({ length: 64 }, () => sendSlowly(origin, greedy)))
    await until(() => places.bodies.active === 64)
    const refused = await ask(origin, greedy)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    for (const from of ['203.0.113.2', greedy]) {
      const served = ask(origin, from)
      await until(() => work.count() === 1)
      work.release()
      expect((await served).status).toBe(200)
      arriving.pop()?.destroy()
      await until(() => places.bodies.active === arriving.length)
    }
    for (const slow of arriving) slow.destroy()
  })

  test('bodies take at most the upload budget, those of one client a sixteenth, and release it', async () => {
    const { work, listener } = api(8, 1000)
    const origin = await serve(listener)
    const slow = await dial(origin)
    slow.write('POST /chain/work HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n')
    slow.write(`Content-Length: 999\r\n\r\n${' '.repeat(998)}`)
    const refused = async (from?: string) => {
      const asked = ask(origin, from, '{}'.padEnd(63))
      await Promise.race([asked, until(() => work.count() > 0)])
      work.release()
      const { status, headers } = await asked
      return status === 200 ? undefined : [status, headers.get('retry-after')]
    }
    while ((await refused()) === undefined);
    expect(await refused()).toEqual([503, '2'])
    slow.destroy()
    while ((await refused()) !== undefined);
    expect(await refused('203.0.113.1')).toEqual([503, '2'])
  })
})

async function sendSlowly(origin: string, from: string): Promise<Socket> {
  const slow = await dial(origin)
  slow.write(`POST /chain/work HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\n`)
  slow.write('Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{')
  return slow
}

async function dial(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

describe('slow clients', () => {
  const hasty = {
    ...SERVER_LIMITS,
    headersTimeout: 150,
    requestTimeout: 300,
    connectionsCheckingInterval: 30,
  }

  test.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: x\r\n', 'X-A: b\r\n'],
    [
      'a body',
      'POST /chain/work HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{',
      ' ',
    ],
  ])('a client that sends %s a byte at a time is disconnected', async (_, begin, drip) => {
    const { listener, work } = api(4)
    const slow = await dial(await serve(listener, hasty))
    let heard = ''
    slow.setEncoding('utf8').on('data', (text: string) => {
      heard += text
    })
    slow.on('error', () => undefined)
    slow.write(begin)
    const dripping = setInterval(() => slow.write(drip), 20)
    // Not by `once`, for which a connection that is cut while it sends would be a failure.
    await new Promise((resolve) => slow.on('close', resolve))
    clearInterval(dripping)
    expect(heard).toMatch(/^HTTP\/1\.1 408/)
    expect(work.count()).toBe(0)
  })

  test.each(['h2c', 'websocket'])('a client that offers %s gets its answer', async (protocol) => {
    const origin = await serve((_, response) => void response.end('a page'), SERVER_LIMITS)
    const client = await dial(origin)
    client.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`)
    const [answer] = await once(client, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200/)
    client.destroy()
  })

  test('headers beyond their limit are a 431', async () => {
    const { listener } = api(1)
    const origin = await serve(listener, SERVER_LIMITS)
    const answer = await fetch(origin, { headers: { 'X-Long': 'x'.repeat(SERVER_LIMITS.maxHeaderSize) } })
    expect(answer.status).toBe(431)
  })
})

describe('pages', () => {
  beforeAll(followConnections)
  const site = (rateLimiter: RateLimiter = { take: () => undefined }, trustedProxies = 1) => {
    const ledger = new UsageLedger()
    const places = openPlaces(ledger, testConfig())
    const work = heldWork()
    const seen: (string | undefined)[] = []
    const clients: (string | undefined)[] = []
    const limit = createPageLimits({ trustedProxies }, async () => ({ rateLimiter, places, ledger }), 300)
    const listener: RequestListener = (request, response) =>
      void limit(request.url as string, request, response, async () => {
        seen.push(connections().getStore()?.remoteAddress)
        clients.push(currentRequest()?.client)
        await work.hold()
        response.end('a page')
      })
    return { work, seen, clients, listener }
  }

  test('further pages wait, those of one client leave a place; files and health are served all the same', async () => {
    const { work, seen, clients, listener } = site()
    const origin = await serve(listener)
    const headers = { 'X-Forwarded-For': '203.0.113.5' }
    const flood = Array.from({ length: 9 }, () => fetch(`${origin}/feed`, { headers }))
    await until(() => work.count() === 3)
    const other = fetch(`${origin}/studio`)
    await until(() => work.count() === 4)
    const waiting = ['/connectors/weave.png', '/_next/image?url=%2Frun%2Fweave%2Fimage&w=640&q=75'].map(
      (path) => fetch(origin + path),
    )
    const free = ['/_next/static/a.js', '/healthz', '/readyz', '/metrics', '/icon.svg'].map((path) =>
      fetch(origin + path),
    )
    await until(() => work.count() === 9)
    const releasing = setInterval(work.release, 5)
    onTestFinished(() => clearInterval(releasing))
    for (const answer of await Promise.all([...flood, other, ...waiting, ...free]))
      expect(answer.status).toBe(200)
    // Handlers behind Next know the connection, and threads the client.
    expect(new Set(seen)).toEqual(new Set(['127.0.0.1']))
    expect(new Set(clients)).toEqual(new Set(['203.0.113.5', undefined]))
  })

  test('a page whose reader does not read leaves its place', async () => {
    const places = openPlaces(new UsageLedger(), testConfig())
    const limit = createPageLimits({ trustedProxies: 1 }, async () => ({
      rateLimiter: { take: () => undefined },
      places,
      ledger: new UsageLedger(),
    }))
    const origin = await serve((request, response) => {
      void limit('/feed', request, response, async () => {
        response.write('x'.repeat(16 * 1024 * 1024))
        await once(response, 'close')
      })
    })
    const readers = await Promise.all(Array.from({ length: 9 }, () => dial(origin)))
    for (const [n, reader] of readers.entries())
      reader.pause().write(`GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.${n}\r\n\r\n`)
    await until(() => places.renders.active > 0)
    await until(() => places.renders.active === 0 && places.renders.waiting === 0)
    for (const reader of readers) reader.destroy()
  })

  test('a local proxy that is not trusted is logged once: it hides the clients', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    onTestFinished(() => warn.mockRestore())
    const { work, listener } = site(undefined, 0)
    const origin = await serve(listener)
    const pages = [1, 2, 3].map(() => fetch(origin, { headers: { 'X-Forwarded-For': '203.0.113.7' } }))
    await until(() => work.count() === 3)
    work.release()
    await Promise.all(pages)
    expect(warn.mock.calls).toEqual([[expect.stringContaining('Set TRUSTED_PROXIES=1')]])
  })

  test('slow bodies take no slot of a page, and time out; long ones are refused', async () => {
    const { work, listener } = site()
    const origin = await serve(listener)
    const head = 'POST /session HTTP/1.1\r\nHost: x\r\n'
    const slow = await dial(origin)
    // It may be closed while the others are still asked.
    const closed = new Promise((resolve) => slow.on('close', resolve))
    slow.write(`${head}Content-Length: 2\r\n\r\n{`)
    await until(() => work.count() === 1)
    const page = fetch(origin)
    await until(() => work.count() === 2)
    for (const length of ['Content-Length: 70000', 'Transfer-Encoding: chunked']) {
      const long = await dial(origin)
      long.write(`${head}${length}\r\n\r\n`)
      const [answer] = await once(long, 'data')
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413/)
      long.destroy()
    }
    await closed
    work.release()
    expect((await page).status).toBe(200)
  })

  test('searches, and only they, are counted by client', async () => {
    const counted: unknown[] = []
    const { work, listener } = site({
      take: (limitClass, key) => {
        counted.push([limitClass, key])
        if (counted.length > 1) throw new Failure('too_many', 'Too fast', { retryAfterSeconds: 41.5 })
      },
    })
    const origin = await serve(listener)
    const from = { headers: { 'X-Forwarded-For': '203.0.113.7' } }
    const first = fetch(`${origin}/search`, from)
    await until(() => work.count() === 1)
    const second = await fetch(`${origin}/search/suggestions`, from)
    expect([second.status, second.headers.get('retry-after'), await second.text()]).toEqual([
      429,
      '42',
      'Too fast\n',
    ])
    const page = fetch(`${origin}/searching`, from)
    await until(() => work.count() === 2)
    work.release()
    expect((await first).status).toBe(200)
    expect((await page).status).toBe(200)
    expect(counted).toEqual([
      ['search', '203.0.113.7'],
      ['search', '203.0.113.7'],
    ])
  })
})
