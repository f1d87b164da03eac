import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rpc } from '../scripts/stack/anvil.ts'
import type { Endpoints } from '../scripts/stack/stack.ts'
import { parseExposition, seriesValue } from '../test/metrics/exposition.ts'
import type { ReadinessWire, StatusWire } from '../test/status/pages.ts'
import { type OwnProgram, type Program, startOwnProgram } from '../test/support/program.ts'

const pollOptions = { timeout: 30_000, interval: 200 }

describe('npm start, watched by machines', () => {
  let own: OwnProgram
  let program: Program
  let endpoints: Endpoints

  beforeAll(async () => {
    own = await startOwnProgram({
      EXAMPLE_NETWORK: 'false',
      LAG_LIMIT_SECONDS: '1',
      READY_LAG_LIMIT_SECONDS: '4',
    })
    ;({ program, endpoints } = own)
  })
  afterAll(() => own?.close())

  const status = async () => (await (await fetch(`${endpoints.site}/status.json`)).json()) as StatusWire
  const ready = async (base: string) => {
    const response = await fetch(`${base}/readyz`)
    return { status: response.status, body: (await response.json()) as ReadinessWire }
  }
  const metrics = async (base: string) => parseExposition(await (await fetch(`${base}/metrics`)).text())
  const mine = (blocks: number) => rpc(endpoints.chainRpc, 'anvil_mine', [blocks])

  it('prints the address of the worker', () => {
    expect(program.output()).toContain(endpoints.worker)
  })

  it.each(['site', 'worker'] as const)('answers for the %s', async (part) => {
    const base = endpoints[part]
    const alive = await fetch(`${base}/healthz`)
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok' }])
    await expect.poll(async () => (await ready(base)).status, pollOptions).toBe(200)
    const series = await metrics(base)
    expect(seriesValue(series, 'weft_database_up')).toBe(1)
    expect(seriesValue(series, 'process_resident_memory_bytes')).toBeGreaterThan(0)
    expect(seriesValue(series, 'weft_feed_block', { height: 'processed' })).toBeGreaterThan(0)
  })

  it('counts requests by documented route, also those that the server answers before Next', async () => {
    const route = (name: string) => ({ route: name, method: 'GET' })
    await fetch(`${endpoints.chainApi}/connector/first`)
    await fetch(`${endpoints.chainApi}/connector/second`)
    await fetch(`${endpoints.chainApi}//connector/third`)
    await fetch(`${endpoints.servicesApi}/health`)
    await (await fetch(endpoints.site)).text()
    const series = await metrics(endpoints.site)
    const count = (name: string, code: string) =>
      seriesValue(series, 'weft_http_requests_total', { ...route(name), status: code })
    expect(count('/chain/connector/{name}', '404')).toBe(2)
    expect(count('none', '404')).toBe(1)
    expect(count('/services/health', '200')).toBe(1)
    const pages = { area: 'pages', status: '2xx' }
    expect(seriesValue(series, 'weft_site_response_duration_seconds_count', pages)).toBeGreaterThan(0)
  })

  it('answers /status with JSON when the client accepts it, and with the page otherwise', async () => {
    const json = await fetch(`${endpoints.site}/status`, { headers: { Accept: 'application/json' } })
    expect(json.headers.get('Content-Type')).toContain('application/json')
    expect(json.headers.get('Cache-Control')).toBe('public, max-age=1')
    expect(json.headers.get('Vary')).toContain('Accept')
    expect(await json.json()).toMatchObject({ feed: { chain_id: 31_337 } })
    for (const accept of ['text/html,application/json;q=0.9', '*/*']) {
      const page = await fetch(`${endpoints.site}/status`, { headers: { Accept: accept } })
      expect([accept, page.headers.get('Content-Type')]).toEqual([accept, 'text/html; charset=utf-8'])
    }
  })

  it('answers HEAD without a body and without announcing one', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/status.json']) {
      const head = await fetch(`${endpoints.site}${path}`, { method: 'HEAD' })
      expect([path, head.status, head.headers.get('Content-Type')]).toEqual([path, 200, null])
    }
  })

  it('reports a hanging worker as lag, is not ready, and recovers when the worker resumes', async () => {
    await expect.poll(async () => (await status()).status, pollOptions).toBe('healthy')
    const worker = program.pidOf('worker')
    process.kill(worker, 'SIGSTOP')
    try {
      await mine(3)
      await expect
        .poll(async () => (await status()).degraded.map(({ sentence }) => sentence), pollOptions)
        .toContainEqual(expect.stringMatching(/^The feed is 3 blocks and \d+ seconds behind the chain\.$/))
      await expect.poll(async () => (await ready(endpoints.site)).status, pollOptions).toBe(503)
      const { body } = await ready(endpoints.site)
      expect(body.checks.filter(({ ok }) => !ok)).toEqual([
        {
          name: 'projection',
          ok: false,
          required: true,
          sentence: expect.stringMatching(/seconds behind the chain; the limit is 4/),
          fix: expect.stringContaining('npm run worker'),
        },
      ])
      // The site itself goes on.
      expect((await fetch(`${endpoints.site}/healthz`)).status).toBe(200)
      expect((await fetch(`${endpoints.chainApi}/accounts?limit=1`)).status).toBe(200)
    } finally {
      process.kill(worker, 'SIGCONT')
    }
    await expect.poll(async () => (await status()).status, pollOptions).toBe('healthy')
    expect((await ready(endpoints.site)).status).toBe(200)
  })

  it('is healthy again after kill -9 of the worker, whose pages are where they were', async () => {
    const before = program.pidOf('worker')
    process.kill(before, 'SIGKILL')
    await mine(2)
    await expect.poll(() => program.pidOf('worker'), pollOptions).not.toBe(before)
    await expect
      .poll(async () => (await ready(endpoints.worker).catch(() => undefined))?.status, pollOptions)
      .toBe(200)
    await expect
      .poll(async () => {
        const { feed, status: health } = await status()
        return [health, feed?.lag_blocks]
      }, pollOptions)
      .toEqual(['healthy', 0])
  })
})
