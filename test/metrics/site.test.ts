import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { observeSite } from '../../lib/server/metrics/process-metrics.ts'
import { renderMetrics } from '../../lib/server/metrics/render-metrics.ts'
import { parseExposition, seriesValue } from './exposition.ts'

let server: Server
let origin: string

beforeAll(async () => {
  server = createServer((request, response) => {
    observeSite(request, response)
    if (request.url === '/slow') return void response.write('begun')
    response.statusCode = request.url === '/missing' ? 404 : 200
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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
