import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoints } from '../scripts/stack/stack.ts'
import { parseExposition, seriesValue } from '../test/metrics/exposition.ts'
import type { ReadinessWire } from '../test/status/pages.ts'
import { type OwnProgram, type Program, startOwnProgram } from '../test/support/program.ts'

const pollOptions = { timeout: 60_000, interval: 200 }

describe('npm start, watched by machines', () => {
  let own: OwnProgram
  let program: Program
  let endpoints: Endpoints

  beforeAll(async () => {
    own = await startOwnProgram({
      EXAMPLE_NETWORK: 'false',
    })
    ;({ program, endpoints } = own)
  })
  afterAll(() => own?.close())

  const ready = async (base: string) => {
    const response = await fetch(`${base}/readyz`)
    return { status: response.status, body: (await response.json()) as ReadinessWire }
  }
  const metrics = async (base: string) => parseExposition(await (await fetch(`${base}/metrics`)).text())

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
})
