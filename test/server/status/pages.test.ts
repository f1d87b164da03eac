import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { closeServices, createServices } from '#lib/core/context/services.ts'
import { ConfigError } from '#lib/platform/config.ts'
import { createHealthDispatcher } from '#lib/server/operations/health/probes.ts'
import { testConfig } from '#test/support/config.ts'
import { createTestDatabase } from '#test/support/database.ts'
import { listen } from '#test/support/listen.ts'
import { startTestStack, type TestStack } from '#test/support/stack.ts'
import { askPage, askReadiness, askStatus } from './pages.ts'

/** New services on top of `base`, so that cached results are not reused. */
const opened: Services[] = []
async function servicesWith(config: Parameters<typeof testConfig>[0]): Promise<Services> {
  const services = await createServices(testConfig(config))
  opened.push(services)
  return services
}
afterAll(() => Promise.all(opened.map(closeServices)))

async function degradedCodes(services: Services): Promise<readonly string[]> {
  return (await askStatus(services)).body.degraded.map(({ code }) => code)
}

describe('a server with everything it needs', () => {
  let stack: TestStack
  beforeAll(async () => {
    stack = await startTestStack()
    await stack.projected()
  })
  afterAll(() => stack.close())

  const config = () => stack.services.config

  test('reports the feed publicly, cacheable for a second', async () => {
    const services = await servicesWith(config())
    const { headers } = await askPage(services, '/status.json')
    expect(headers.get('Cache-Control')).toBe('public, max-age=1')
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('Vary')).toBe('Accept')
    const head = Number(await stack.chain.publicClient.getBlockNumber({ cacheTime: 0 }))
    // A busy machine is slow now and then, and the page says so.
    await expect
      .poll(async () => (await askStatus(services)).body)
      .toMatchObject({
        status: 'healthy',
        degraded: [],
        feed: {
          chain_id: 31_337,
          head,
          processed: head,
          lag_blocks: 0,
          lag_seconds: 0,
          writer: { instance: expect.any(String), heartbeat_ago_ms: expect.any(Number) },
          standbys: 0,
          reorganisations: { count: 0, deepest: 0, last: null },
        },
      })
  })

  test('reports what the site pays for, without its key', async () => {
    const sponsor = {
      key: `0x${'12'.repeat(32)}`,
      perDay: 10n ** 16n,
      perAccount: 1n,
      perClient: 1n,
    } as const
    const services = await servicesWith({ ...config(), sponsor })
    const { text } = await askPage(services, '/status.json')
    expect(JSON.parse(text).sponsor).toEqual({
      budget: '10000000000000000',
      spent: '0',
      reserved: '0',
      publications: 0,
      transactions: 0,
      reverted: 0,
    })
    expect(text).not.toContain('12121212')
  })

  test('responds to HEAD without a body or its length, and refuses other methods', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/status.json']) {
      const head = await askPage(stack.services, path, 'HEAD')
      expect([path, head.status, head.text, head.headers.get('Content-Type')]).toEqual([path, 200, '', null])
      const post = await askPage(stack.services, path, 'POST')
      expect([path, post.status, post.headers.get('Allow')]).toEqual([path, 405, 'GET, HEAD'])
    }
  })

  test('stays ready without its node, and reports it', async () => {
    const services = await servicesWith({ ...config(), chainRpcUrl: 'http://127.0.0.1:1/secret-api-key' })
    const { status, body } = await askReadiness(services)
    expect(status).toBe(200)
    expect(body.checks.find(({ name }) => name === 'chain')).toEqual({
      name: 'chain',
      ok: false,
      required: false,
      sentence: 'The chain endpoint does not answer.',
      fix: expect.stringContaining('CHAIN_RPC_URL'),
    })
    await expect.poll(() => degradedCodes(services)).toEqual(['node_unavailable'])
  })

  test('shows what its nodes can do, and which of them is lost, without their addresses', async () => {
    const chainRpcUrl = `http://127.0.0.1:1/secret-api-key,${config().chainRpcUrl}`
    const services = await servicesWith({ ...config(), chainRpcUrl })
    await services.chain?.verify()
    await services.chain?.nodes.probe(services.chain.registry)
    const { text } = await askPage(services, '/status.json')
    expect(JSON.parse(text)).toMatchObject({
      status: 'degraded',
      // A slow machine adds reasons of its own.
      degraded: expect.arrayContaining([
        expect.objectContaining({
          code: 'nodes_lost',
          sentence: 'Of 2 nodes, one does not answer: the others stand in.',
        }),
      ]),
      nodes: [
        { state: 'down', preferred: false, words: 'no connection', sentences: [] },
        { state: 'answers', preferred: true, batch_size: 64, sentences: expect.any(Array) },
      ],
    })
    expect(text).toContain('It takes 64 calls in one request.')
    expect(text).not.toMatch(/secret-api-key|127\.0\.0\.1/)
  })

  test('is not ready over a database that was filled from another registry', async () => {
    const services = await servicesWith({ ...config(), registryAddress: `0x${'1'.repeat(40)}` })
    const { status, body } = await askReadiness(services)
    expect(status).toBe(503)
    expect(body.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['projection'])
  })

  test('reads the database once for all requests of a second', async () => {
    let questions = 0
    const { db } = stack.services
    const sql = new Proxy(db.sql, {
      apply: (target, self, args) => {
        questions += 1
        return Reflect.apply(target, self, args)
      },
    })
    const counted = { ...stack.services, db: { ...db, sql } }
    await Promise.all(Array.from({ length: 200 }, () => askPage(counted, '/status.json')))
    await Promise.all(Array.from({ length: 200 }, () => askPage(counted, '/metrics')))
    expect(questions).toBeGreaterThan(0)
    expect(questions).toBeLessThan(15)
  })
})

test('a token protects the metrics, and nothing else', async () => {
  const token = 'a-token-for-scrapers'
  const services = await servicesWith({ metricsToken: token })
  for (const sent of [null, '', token, `bearer ${token}`, `Bearer ${token}x`, `Basic ${token}`]) {
    const { status, headers, text } = await askPage(services, '/metrics', 'GET', sent)
    expect([sent, status, headers.get('WWW-Authenticate')]).toEqual([sent, 401, 'Bearer realm="metrics"'])
    expect(text).not.toContain('process_')
  }
  expect((await askPage(services, '/metrics', 'HEAD')).status).toBe(401)
  const { status, text } = await askPage(services, '/metrics', 'GET', `Bearer ${token}`)
  expect([status, text.includes('process_cpu_seconds_total')]).toEqual([200, true])
  expect((await askPage(services, '/healthz')).status).toBe(200)
})

describe('a server with a missing dependency', () => {
  test('without its database: not ready, alive, and shows no password', async () => {
    const services = await servicesWith({ databaseUrl: 'postgres://weft:hunter2@127.0.0.1:1/weft' })
    expect((await askPage(services, '/healthz')).status).toBe(200)
    const { status, body } = await askReadiness(services)
    expect(status).toBe(503)
    expect(body).toEqual({
      ready: false,
      checks: [
        {
          name: 'database',
          ok: false,
          required: true,
          sentence: 'The database does not answer.',
          fix: expect.stringContaining('DATABASE_URL'),
        },
      ],
    })
    const state = await askPage(services, '/status.json')
    expect(state.status).toBe(503)
    expect(state.headers.get('Cache-Control')).toBe('no-store')
    const metrics = await askPage(services, '/metrics')
    expect(metrics.status).toBe(200)
    expect(metrics.text).toContain('weft_database_up 0\n')
    expect(metrics.text).toContain('weft_degraded{code="database_unavailable"} 1\n')
    expect(metrics.text).not.toContain('weft_feed_block')
    expect(state.text + metrics.text).not.toMatch(/hunter2|127\.0\.0\.1/)
  })

  test('does not wait for a database that accepts connections and never answers', async () => {
    const silent = createServer(() => {})
    const port = await listen(silent)
    try {
      const services = await servicesWith({ databaseUrl: `postgres://weft@127.0.0.1:${port}/weft` })
      const began = performance.now()
      const [ready, metrics] = await Promise.all([askReadiness(services), askPage(services, '/metrics')])
      expect(ready.status).toBe(503)
      expect(metrics.text).toContain('weft_database_up 0')
      // Well before the driver's timeout of ten seconds.
      expect(performance.now() - began).toBeLessThan(9_000)
    } finally {
      silent.close()
    }
  })

  test('is not ready on an older schema, and names the missing migrations', async () => {
    const db = await createTestDatabase()
    try {
      const [newest] = await db.sql<{ id: number }[]>`
        delete from __drizzle_migrations where id = (select max(id) from __drizzle_migrations) returning id`
      expect(newest).toBeDefined()
      const { status, body } = await askReadiness(await servicesWith({ databaseUrl: db.url }))
      expect(status).toBe(503)
      expect(body.checks.at(-1)).toMatchObject({
        name: 'migrations',
        ok: false,
        sentence: expect.stringMatching(/^The database lacks a migration: \d{4}_\w+\.$/),
        fix: expect.stringContaining('npm run db:migrate'),
      })
    } finally {
      await db.close()
    }
  })

  test('is ready without a chain, and reports that none is configured', async () => {
    const db = await createTestDatabase()
    try {
      const services = await servicesWith({ databaseUrl: db.url })
      expect((await askReadiness(services)).status).toBe(200)
      await expect.poll(() => degradedCodes(services)).toEqual(['no_chain'])
    } finally {
      await db.close()
    }
  })

  test('reports an invalid configuration without its values', async () => {
    const broken = createHealthDispatcher({
      services: () => Promise.reject(new ConfigError(['CHAIN_TOKEN_KEY hunter2 is too short'])),
    })
    const get = (path: string) => broken(new Request(`http://localhost${path}`))
    const ready = await get('/readyz')
    expect(ready.status).toBe(503)
    const text = await ready.text()
    expect(text).toContain('The configuration is not usable.')
    expect(text).not.toContain('hunter2')
    expect((await get('/healthz')).status).toBe(200)
    expect(await (await get('/metrics')).text()).toContain('process_cpu_seconds_total')
  })
})
