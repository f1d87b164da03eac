import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import { renderMetrics } from '#lib/server/metrics/render-metrics.ts'
import { testConfig } from '#test/support/config.ts'
import { define } from '#test/support/definitions.ts'
import { startTestStack, type TestStack } from '#test/support/stack.ts'
import { parseExposition, type Series, seriesValue } from './exposition.ts'

let stack: TestStack

beforeAll(async () => {
  stack = await startTestStack({ compile: testConfig().compile })
  await stack.projected()
})
afterAll(() => stack.close())

async function scrape(): Promise<Series[]> {
  return parseExposition((await renderMetrics(stack.services)).text)
}

test('the feed metrics match /status.json', async () => {
  const series = await scrape()
  const head = Number(await stack.chain.publicClient.getBlockNumber({ cacheTime: 0 }))
  expect(seriesValue(series, 'weft_feed_block', { height: 'head' })).toBe(head)
  expect(seriesValue(series, 'weft_feed_block', { height: 'processed' })).toBe(head)
  expect(seriesValue(series, 'weft_feed_lag_blocks')).toBe(0)
  expect(seriesValue(series, 'weft_feed_lag_seconds')).toBe(0)
  expect(seriesValue(series, 'weft_feed_reorganisations_total')).toBe(0)
})

test('a pool counts what ran, what was refused and what it cost', async () => {
  const outcome = async (name: string) =>
    seriesValue(await scrape(), 'weft_pool_tasks_total', { pool: 'compile', outcome: name })
  expect(await outcome('done')).toBe(0)
  await stack.services.compiler.compile('transformation', 'double', 'return x * 2;')
  expect(await outcome('done')).toBe(1)
  const stop = new AbortController()
  const given = stack.services.compiler.compile('transformation', 'triple', 'return x * 3;', stop.signal)
  stop.abort(new Error('gone'))
  await expect(given).rejects.toThrow('gone')
  await expect.poll(() => outcome('abandoned')).toBe(1)
  const series = await scrape()
  expect(seriesValue(series, 'weft_pool_busy_seconds_total', { pool: 'compile' })).toBeGreaterThan(0)
  expect(seriesValue(series, 'weft_pool_running', { pool: 'compile' })).toBe(0)
  expect(seriesValue(series, 'weft_pool_waiting', { pool: 'compile' })).toBe(0)
  expect(seriesValue(series, 'weft_pool_threads_limit', { pool: 'compile' })).toBe(1)
})

test('the engine counts each transformation once, by how it runs', async () => {
  const { compiler, simulator } = stack.services
  const artifact = await compiler.compile('transformation', 'double', 'return x * 2;')
  const sketch = { name: 'Doubles', dimensions: [{ transformations: [{ name: 'double' }] }] }
  const connector = buildConnector(define(sketch), () => artifact)
  const artifacts = [artifact, connector]
  const request = { root: connector.contentHash, artifacts, particlesCount: 3, dynamicRi: [] }
  for (let run = 0; run < 2; run++) await simulator.simulate(request)
  const series = await scrape()
  expect(seriesValue(series, 'weft_engine_steps_total', { outcome: 'specialised' })).toBe(1)
  expect(seriesValue(series, 'weft_engine_steps_total', { outcome: 'specialisedWrong' })).toBe(0)
})

test('open streams are counted while they are open', async () => {
  const open = async () => seriesValue(await scrape(), 'weft_streams_open')
  expect(await open()).toBe(0)
  const response = await stack.dispatch(new Request('http://localhost/chain/feed/stream'))
  const reader = response.body?.getReader()
  await reader?.read()
  await expect.poll(open).toBe(1)
  await reader?.cancel()
  await expect.poll(open).toBe(0)
})

test('connections to the database are counted by application and state', async () => {
  const connections = (await scrape()).filter(({ name }) => name === 'weft_database_connections')
  const ours = connections.filter(({ labels }) => labels.application === 'weft')
  expect(ours.length).toBeGreaterThan(0)
  const limit = seriesValue(await scrape(), 'weft_database_connections_limit')
  expect(limit).toBeGreaterThan(connections.reduce((sum, { value }) => sum + value, 0))
})

test('a program that calls itself anything makes up no label', async () => {
  const names = ['stranger', 'weft"} 1\n', 'weft-x-y-z', 'weft-1'].map((name) => `${name} `)
  const strangers = names.map((name) => postgres(stack.db.url, { connection: { application_name: name } }))
  try {
    await Promise.all(strangers.map((sql) => sql`select 1`))
    const applications = async () =>
      (await scrape())
        .filter(({ name }) => name === 'weft_database_connections')
        .map(({ labels, value }) => ({ application: labels.application, value }))
    await expect.poll(applications).toContainEqual({ application: 'other', value: 4 })
    for (const { application } of await applications())
      expect(application).toMatch(/^(other|weft(-[a-z]+)*)$/)
  } finally {
    await Promise.all(strangers.map((sql) => sql.end()))
  }
})
