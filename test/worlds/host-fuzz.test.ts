import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorldHost } from '../../lib/worlds/sdk/host.ts'
import { MESSAGE } from '../../lib/worlds/sdk/protocol.ts'
import { createWorldSdk } from '../../lib/worlds/sdk/runtime.ts'
import { mount } from './support/fake-windows.ts'
import { recordingClient } from './support/recording-client.ts'

const MESSAGES = Number(process.env.HOST_FUZZ_MESSAGES ?? 30_000)
const SEED = Number(process.env.HOST_FUZZ_SEED ?? 1)
const TOKEN = 'ab'.repeat(16)

const defects: unknown[] = []
function note(error: unknown) {
  return defects.push(error)
}

beforeEach(() => {
  defects.length = 0
  process.on('uncaughtException', note).on('unhandledRejection', note)
})

afterEach(() => {
  process.off('uncaughtException', note).off('unhandledRejection', note)
})

/** The same numbers for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

function generator(seed: number) {
  const next = random(seed)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T
  const names = [
    ...['connectorGet', 'connectorExists', 'transformationGet', 'transformationExists', 'conditionGet'],
    ...[
      'conditionExists',
      'listFormats',
      'formatInfo',
      'feed',
      'execute',
      'simulate',
      'publishSend',
      'fetch',
    ],
    ...[
      'constructor',
      '__proto__',
      'toString',
      'hasOwnProperty',
      'then',
      'accessToken',
      '',
      ' ',
      '\0',
      '../feed',
    ],
  ]
  const leaves: readonly (() => unknown)[] = [
    () => null,
    () => undefined,
    () => next() < 0.5,
    () => Math.floor(next() * 2 ** 33) - 2 ** 32,
    () => next() * 1e6,
    () => pick([Number.NaN, Infinity, -0, 1e308, 65_536, 65_537]),
    () => pick([0n, 10n ** 40n]),
    () => pick(names),
    () => 'x'.repeat(Math.floor(next() * 600)),
    () => '\ud800',
    () => `0x${'aF'.repeat(32)}`,
    () => new Date(next() * 1e15),
    () => /x/g,
    () => new Map([[pick(names), 1]]),
    () => new Set(names),
    () => new Error('of the World'),
    () => new Uint8Array(8),
    () => new ArrayBuffer(4),
  ]
  const value = (depth: number): unknown => {
    const kind = next()
    if (depth === 0 || kind < 0.5) return pick(leaves)()
    const length = Math.floor(next() * 5)
    if (kind < 0.65) return Array.from({ length }, () => value(depth - 1))
    return fields(Array.from({ length }, () => [key(), value(depth - 1)] as const))
  }
  const key = () =>
    pick([
      ...['name', 'hash', 'limit', 'after', 'before', 'type', 'includeUnfinalized', 'connectorName'],
      ...['particlesCount', 'dynamicRi', 'start_point', 'transformation_shift', '0', '07', '4294967296'],
      ...['__proto__', 'constructor', 'toJSON', 'status'],
    ])
  const sensibleParams = () =>
    fields([
      ['name', pick(['a', 'b', '..', ''])],
      ['connectorName', 'a'],
      ['particlesCount', pick([1, '5', 65_536, 65_537, -1])],
      ['limit', pick([1, 100, 101, undefined])],
      ['hash', 'ab'.repeat(32)],
      [key(), value(2)],
    ])
  const message = (): unknown => {
    if (next() < 0.1) return value(4)
    const often = <T>(likely: T): unknown => (next() < 0.9 ? likely : value(2))
    return fields([
      ['type', often(pick([...Object.values(MESSAGE), MESSAGE.request, MESSAGE.request, MESSAGE.request]))],
      ['worldId', often('world')],
      ['channelToken', often(TOKEN)],
      ['requestId', often(`r${Math.floor(next() * 1000)}`)],
      ['protocolVersion', often(1)],
      ['method', often(pick(names))],
      ['params', next() < 0.6 ? sensibleParams() : value(4)],
      ['message', often('text')],
      ['ok', often(next() < 0.5)],
      ['result', value(2)],
      ['error', value(2)],
      ['payload', value(3)],
      ['seed', value(4)],
      [key(), value(2)],
    ])
  }
  return { next, pick, message }
}

/** As a copied message has them: own properties, `__proto__` included. */
function fields(entries: readonly (readonly [string, unknown])[]): unknown {
  const result = {}
  for (const [name, value] of entries) {
    Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return result
}

test(`${MESSAGES} random messages of a World: no error escapes, nothing outside its permissions`, async () => {
  const at = mount()
  const { client, calls } = recordingClient((method, name) => {
    if (name === 'b') throw Object.assign(new Error('secret'), { status: 500 })
    return method.endsWith('Exists') ? true : { name }
  })
  const answers: { type: string; ok: boolean; error?: { code: string; message: string } }[] = []
  at.world.addEventListener('message', (event) => answers.push((event as MessageEvent).data))
  const events: unknown[] = []
  const host = createWorldHost({
    client,
    permissions: ['dcn.conditions.read', 'decentralised.art.execute'],
    valueLimits: { particlesCount: { min: 1, max: 8 } },
    channelToken: TOKEN,
    logger: { warn() {}, error() {} },
    maxMessagesPerSecond: Number.POSITIVE_INFINITY,
    onReady: (message) => events.push(message),
    onRendered: (message) => events.push(message),
    onError: (message) => events.push(message),
    ...at.hostSide,
  })
  const { next, pick, message } = generator(SEED)
  for (let count = 0; count < MESSAGES; count += 1) {
    const source = next() < 0.95 ? at.world.as(at.page) : pick([null, {}, at.page])
    at.page.receive(message(), source, pick(['null', 'null', 'http://site.test', '']))
    if (count % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  host.dispose()

  expect(defects).toEqual([])
  const allowed = new Set(['conditionGet', 'conditionExists', 'execute', 'simulate'])
  expect(calls.filter(([method]) => !allowed.has(method))).toEqual([])
  const runs = calls.filter(([method]) => method === 'execute' || method === 'simulate')
  expect(
    runs.filter(([, , count]) => !Number.isInteger(count) || Number(count) < 1 || Number(count) > 8),
  ).toEqual([])
  expect(calls.filter(([, name]) => name === '' || name === '..')).toEqual([])
  // The fuzzer reaches what it is meant to reach.
  expect(runs.length).toBeGreaterThan(MESSAGES / 1000)
  expect(events.length).toBeGreaterThan(MESSAGES / 100)
  const codes = new Set(answers.map(({ ok, error }) => (ok ? 'ok' : error?.code)))
  expect([...codes].toSorted()).toEqual(
    ['bad_request', 'host_error', 'ok', 'permission_denied', 'unknown_method'].toSorted(),
  )
  expect(JSON.stringify(answers)).not.toContain('secret')
  expect(Object.hasOwn(Object.prototype, 'status')).toBe(false)
})

test('20000 random messages of a page: no error escapes the World', async () => {
  const at = mount()
  const sdk = createWorldSdk({ worldId: 'world', channelToken: TOKEN, requestTimeoutMs: 0, ...at.worldSide })
  let states = 0
  sdk.onState(() => {
    states += 1
  })
  const outcomes: Promise<unknown>[] = []
  const { message } = generator(SEED + 1)
  for (let count = 0; count < 20_000; count += 1) {
    if (count % 100 === 0) outcomes.push(sdk.connectorExists(`c${count}`).catch((error: Error) => error.name))
    at.world.receive(message(), at.page.as(at.world), 'http://site.test')
    if (count % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  sdk.dispose()
  expect(await Promise.all(outcomes)).toHaveLength(200)
  expect(defects).toEqual([])
  expect(states).toBeGreaterThan(100)
})
