import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { observeRequests, observeSite } from '#lib/server/metrics/process-metrics.ts'
import { renderMetrics } from '#lib/server/metrics/render-metrics.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { listen } from '#test/support/listen.ts'
import { startTestStack, type TestStack } from '#test/support/stack.ts'
import { parseExposition, type Series, seriesValue } from './exposition.ts'

let stack: TestStack
let send: (method: string, path: string) => Promise<number>

beforeAll(async () => {
  stack = await startTestStack()
  const dispatch = createChainDispatcher({
    services: async () => stack.services,
    observe: observeRequests('/chain'),
  })
  send = async (method, path) => {
    const response = await dispatch(new Request(`http://localhost${path}`, { method }))
    await response.body?.cancel()
    return response.status
  }
})
afterAll(() => stack.close())

async function scrape(): Promise<Series[]> {
  return parseExposition((await renderMetrics(stack.services)).text).filter(({ name }) =>
    name.startsWith('weft_http_'),
  )
}

test('an answer counts under its documented route, its method and its status', async () => {
  const before = await scrape()
  await send('GET', '/chain/accounts?limit=1')
  await send('GET', '/chain/accounts?limit=0')
  await send('GET', '/chain/accounts')
  const after = await scrape()
  const gained = (name: string, labels: Record<string, string>) =>
    (seriesValue(after, name, labels) ?? 0) - (seriesValue(before, name, labels) ?? 0)
  const accounts = { route: '/chain/accounts', method: 'GET' }
  expect(gained('weft_http_requests_total', { ...accounts, status: '200' })).toBe(1)
  expect(gained('weft_http_requests_total', { ...accounts, status: '400' })).toBe(2)
  expect(gained('weft_http_request_duration_seconds_count', { ...accounts, status: '2xx' })).toBe(1)
  expect(gained('weft_http_request_duration_seconds_count', { ...accounts, status: '4xx' })).toBe(2)
})

test('arbitrary requests create no labels', async () => {
  await send('GET', '/chain/connector/first')
  await send('GET', '/chain/first')
  await send('BREW', '/chain/first')
  await send('BREW', '/chain/connector/first')
  const before = await scrape()
  for (let i = 0; i < 300; i += 1) {
    await send('GET', `/chain/connector/name${i}`)
    await send('GET', `/chain/nothing${i}/__proto__/%22%0a`)
    await send(`BREW${i}`, `/chain/pot${i}`)
    await send(`BREW${i}`, `/chain/connector/pot${i}`)
  }
  const after = await scrape()
  expect(after.length).toBe(before.length)
  expect(
    seriesValue(after, 'weft_http_requests_total', { route: '/chain/connector/{name}', status: '404' }),
  ).toBe(301)
  expect(
    seriesValue(after, 'weft_http_requests_total', { route: 'none', method: 'other', status: '404' }),
  ).toBe(301)
})

let server: Server
let origin: string

beforeAll(async () => {
  server = createServer((request, response) => {
    observeSite(request, response)
    if (request.url === '/slow') return void response.write('begun')
    response.statusCode = request.url === '/missing' ? 404 : 200
    response.end()
  })
  origin = `http://127.0.0.1:${await listen(server)}`
})
afterAll(() => server.close())

async function count(area: string, status: string) {
  return seriesValue(
    parseExposition((await renderMetrics(undefined)).text),
    'weft_site_response_duration_seconds_count',
    { area, status },
  )
}

test('pages and files are counted apart, and the APIs not at all', async () => {
  for (const path of ['/', '/feed?type=x', '/missing', '/_next/static/a.js', '/chain/version', '/services']) {
    await fetch(`${origin}${path}`)
  }
  await expect.poll(() => count('pages', '2xx')).toBe(2)
  expect(await count('pages', '4xx')).toBe(1)
  expect(await count('files', '2xx')).toBe(1)
  expect(await count('chain', '2xx')).toBeUndefined()
})

test('a client that disconnects early is counted as such', async () => {
  const leaving = new AbortController()
  const response = await fetch(`${origin}/slow`, { signal: leaving.signal })
  expect(response.status).toBe(200)
  leaving.abort()
  await expect.poll(() => count('pages', 'aborted')).toBe(1)
})
