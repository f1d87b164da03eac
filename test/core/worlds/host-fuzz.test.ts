import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorldHost } from '#lib/core/worlds/sdk/host.ts'
import { MESSAGE } from '#lib/core/worlds/sdk/protocol.ts'
import { createWorldSdk } from '#lib/core/worlds/sdk/runtime.ts'
import { drawn, SEED } from '#test/support/slice.ts'
import { mount } from './support/fake-windows.ts'
import { recordingClient } from './support/recording-client.ts'

const MESSAGES = drawn(5_000)
const sampling = { numRuns: MESSAGES, seed: SEED }
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

const names = fc.constantFrom(
  ...['connectorGet', 'connectorExists', 'transformationGet', 'transformationExists', 'conditionGet'],
  ...['conditionExists', 'listFormats', 'formatInfo', 'feed', 'execute', 'simulate', 'publishSend', 'fetch'],
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
)
const keys = fc.constantFrom(
  ...['name', 'hash', 'limit', 'after', 'before', 'type', 'includeUnfinalized', 'connectorName'],
  ...['particlesCount', 'dynamicRi', 'start_point', 'transformation_shift', '0', '07', '4294967296'],
  ...['__proto__', 'constructor', 'toJSON', 'status'],
)
/** New for each message. */
const objects = fc
  .constantFrom<(() => unknown)[]>(
    () => new Date(),
    () => /x/g,
    () => new Map([['name', 1]]),
    () => new Set(['name']),
    () => new Error('of the World'),
    () => new Uint8Array(8),
    () => new ArrayBuffer(4),
  )
  .map((make) => make())
const leaf = fc.oneof(
  fc.constantFrom(null, undefined, Number.NaN, Infinity, -0, 1e308, 65_536, 65_537, 0n, 10n ** 40n, '\ud800'),
  fc.boolean(),
  fc.integer({ min: -(2 ** 32), max: 2 ** 32 }),
  fc.double(),
  names,
  fc.nat(600).map((length) => 'x'.repeat(length)),
  fc.constant(`0x${'aF'.repeat(32)}`),
  objects,
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map(fields),
  ),
}))

function often(likely: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: likely, weight: 9 }, { arbitrary: value, weight: 1 })
}

/** An object of these fields and any other. */
function withAnother(record: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.record(record), keys, value)
    .map(([known, ...another]) => fields([...Object.entries(known), another]))
}

const sensibleParams = withAnother({
  name: fc.constantFrom('a', 'b', '..', ''),
  connectorName: fc.constant('a'),
  particlesCount: fc.constantFrom(1, '5', 65_536, 65_537, -1),
  limit: fc.constantFrom(1, 100, 101, undefined),
  hash: fc.constant('ab'.repeat(32)),
})
const message = often(
  withAnother({
    type: often(fc.constantFrom(...Object.values(MESSAGE), ...Array(3).fill(MESSAGE.request))),
    worldId: often(fc.constant('world')),
    channelToken: often(fc.constant(TOKEN)),
    requestId: often(fc.nat(999).map((id) => `r${id}`)),
    protocolVersion: often(fc.constant(1)),
    method: often(names),
    params: fc.oneof(sensibleParams, value),
    message: often(fc.constant('text')),
    ok: often(fc.boolean()),
    result: value,
    error: value,
    payload: value,
    seed: value,
  }),
)

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
  const world = at.world.as(at.page)
  const received = fc.tuple(
    message,
    fc.constantFrom(...Array(57).fill(world), null, {}, at.page),
    fc.constantFrom('null', 'null', 'http://site.test', ''),
  )
  for (const [count, [data, source, origin]] of fc.sample(received, sampling).entries()) {
    at.page.receive(data, source, origin)
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

test(`${MESSAGES} random messages of a page: no error escapes the World`, async () => {
  const at = mount()
  const sdk = createWorldSdk({ worldId: 'world', channelToken: TOKEN, requestTimeoutMs: 0, ...at.worldSide })
  let states = 0
  sdk.onState(() => {
    states += 1
  })
  const outcomes: Promise<unknown>[] = []
  for (const [count, data] of fc.sample(message, sampling).entries()) {
    if (count % 100 === 0) outcomes.push(sdk.connectorExists(`c${count}`).catch((error: Error) => error.name))
    at.world.receive(data, at.page.as(at.world), 'http://site.test')
    if (count % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  sdk.dispose()
  expect(await Promise.all(outcomes)).toHaveLength(MESSAGES / 100)
  expect(defects).toEqual([])
  expect(states).toBeGreaterThan(100)
})
