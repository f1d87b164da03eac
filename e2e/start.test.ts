import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { rpc } from '#scripts/stack/anvil.ts'
import { anyFreePort } from '#scripts/stack/ports.ts'
import type { Endpoints } from '#scripts/stack/stack.ts'
import { parseExposition, seriesValue } from '#test/server/metrics/exposition.ts'
import type { ReadinessWire } from '#test/server/status/pages.ts'
import { EventStreamReader } from '#test/support/event-stream.ts'
import { NO_PORTS, type Program, startProgram } from '#test/support/program.ts'
import { until } from '#test/support/until.ts'

const pollOptions = { interval: 200 }

const quick = { ...NO_PORTS, EXAMPLE_NETWORK: 'false' }

/** A zombie process counts as ended. */
function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'))
}

/** Waits until `check` holds; what it throws counts as not yet. */
function eventually(check: () => Promise<boolean>): Promise<void> {
  return until('it happens', () => check().catch(() => false))
}

describe('npm start, running', () => {
  let dataDir: string
  let program: Program
  let endpoints: Endpoints

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'weft-start-'))
    program = startProgram(dataDir, quick)
    endpoints = await program.ready()
  })
  afterAll(async () => {
    await program.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const answers = async () => (await fetch(`${endpoints.chainApi}/accounts?limit=1`)).status === 200
  const restarted = (part: string, before: number) =>
    eventually(async () => program.pidOf(part) !== before && (await answers())).catch((cause: unknown) => {
      throw new Error(`The ${part} was not started again:\n${program.output().slice(-4000)}`, { cause })
    })

  const ready = async (base: string) => {
    const response = await fetch(`${base}/readyz`)
    return { status: response.status, body: (await response.json()) as ReadinessWire }
  }
  const metrics = async (base: string) => parseExposition(await (await fetch(`${base}/metrics`)).text())

  it('prints where everything is', () => {
    for (const part of ['site', 'chainApi', 'servicesApi', 'worker', 'registry'] as const) {
      expect(program.output()).toContain(endpoints[part])
    }
    expect(program.output()).toMatch(/0x70997970C51812dc3A010C7d01b50e0d17dc79C8\s+0x59c6995e998f97a5/)
  })

  it('makes its secrets readable by the owner only', () => {
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
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

  it.each(['site', 'worker', 'database'])('starts the %s again after kill -9', async (part) => {
    const before = program.pidOf(part)
    process.kill(before, 'SIGKILL')
    await restarted(part, before)
    expect(program.output()).toContain(`The ${part} was ended by SIGKILL`)
  })

  it('starts the chain again after kill -9, with the blocks it had', async () => {
    const account = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
    const recipient = '0x00000000000000000000000000000000000000ff'
    const transfer = { from: account, to: recipient, value: '0x7' }
    const transaction = await rpc(endpoints.chainRpc, 'eth_sendTransaction', [transfer])
    await eventually(
      async () => (await rpc(endpoints.chainRpc, 'eth_getTransactionReceipt', [transaction])) !== null,
    )
    const receipt = await rpc(endpoints.chainRpc, 'eth_getTransactionReceipt', [transaction])
    const { blockNumber: number, blockHash: hash } = receipt as { blockNumber: string; blockHash: string }
    const saved = join(dataDir, 'chain', 'state.json')
    await eventually(async () => readFileSync(saved, 'utf8').includes(hash))

    const before = program.pidOf('chain')
    process.kill(before, 'SIGKILL')
    await restarted('chain', before)
    await eventually(
      async () => (await rpc(endpoints.chainRpc, 'eth_getBalance', [recipient, 'safe'])) === '0x7',
    )
    const again = await rpc(endpoints.chainRpc, 'eth_getBlockByNumber', [number, false])
    expect((again as { hash: string }).hash).toBe(hash)
    expect(await rpc(endpoints.chainRpc, 'eth_getCode', [endpoints.registry, 'latest'])).not.toBe('0x')
  })

  it('refuses to run twice over the same data', async () => {
    const second = startProgram(dataDir, quick)
    const { code } = await second.ended()
    expect(code).toBe(1)
    expect(second.output()).toContain('already running in this folder')
    expect(await answers()).toBe(true)
  })

  it('recovers when the starter itself is killed: nothing is left running, nothing is lost', async () => {
    const parts = ['site', 'worker', 'chain', 'database'].map((part) => program.pidOf(part))
    process.kill(program.process.pid as number, 'SIGKILL')
    await program.ended()
    // The half-written file of a crash; the copy before it is whole.
    const state = join(dataDir, 'chain', 'state.json')
    writeFileSync(`${dataDir}/chain/state.previous.json`, readFileSync(state))
    const first = endpoints

    program = startProgram(dataDir, quick)
    const readyAgain = program.ready()
    await eventually(async () => program.output().includes('interrupted run'))
    endpoints = await readyAgain
    expect(parts.filter(alive)).toEqual([])
    expect(endpoints.registry).toBe(first.registry)
    expect(
      await rpc(endpoints.chainRpc, 'eth_getBalance', [
        '0x00000000000000000000000000000000000000ff',
        'latest',
      ]),
    ).toBe('0x7')
  })

  it('stops every part on SIGTERM, with streams open, one of them stalled', async () => {
    const parts = ['site', 'worker', 'chain', 'database'].map((part) => program.pidOf(part))
    const stream = `${endpoints.chainApi}/feed/stream`
    const readers = await Promise.all(Array.from({ length: 50 }, () => EventStreamReader.open(stream)))
    await Promise.all(readers.map((reader) => reader.until(({ event }) => event === 'stream_meta')))
    const { hostname, port, pathname } = new URL(stream)
    const stalled = connect(Number(port), hostname).pause()
    await once(stalled, 'connect')
    stalled.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const { milliseconds, code } = await program.stop('SIGTERM')
    // Five seconds on a quiet machine.
    expect(milliseconds).toBeLessThan(60_000)
    expect(code).toBe(0)
    expect(parts.filter(alive)).toEqual([])
    expect(existsSync(join(dataDir, 'endpoints.json'))).toBe(false)
    for (const reader of readers) expect(await reader.next()).toBeUndefined()
    stalled.destroy()
  })

  it('starts again from a chain state that was cut off', async () => {
    writeFileSync(join(dataDir, 'chain', 'state.json'), '{"block": {"numb')
    program = startProgram(dataDir, quick)
    endpoints = await program.ready()
    expect(
      await rpc(endpoints.chainRpc, 'eth_getBalance', [
        '0x00000000000000000000000000000000000000ff',
        'latest',
      ]),
    ).toBe('0x7')
  })
})

describe('npm start, refused', () => {
  let dataDir: string
  let blocker: Server | undefined

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'weft-start-'))
  })
  afterEach(() => blocker?.close())
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  it('names every bad variable and its fix', async () => {
    const program = startProgram(dataDir, { PORT: 'http', EXECUTE_BLOCK_TAG: 'pending' })
    expect((await program.ended()).code).toBe(1)
    expect(program.output()).toContain('PORT must be a whole number from 1 to 65535')
    expect(program.output()).toContain('EXECUTE_BLOCK_TAG must be latest, safe or finalized')
  })

  it('reports that a configured port is taken', async () => {
    const port = await anyFreePort()
    blocker = createServer()
    await new Promise<void>((resolve) => blocker?.listen(port, '127.0.0.1', resolve))
    const program = startProgram(dataDir, { ...quick, PORT: String(port) })
    expect((await program.ended()).code).toBe(1)
    expect(program.output()).toContain(`PORT ${port} is in use by another program`)
  })
})
