import { afterEach, describe, expect, test, vi } from 'vitest'
import { createWorldHost, type WorldHost, type WorldHostOptions } from '../../lib/worlds/sdk/host.ts'
import { MESSAGE, type WorldCalls, type WorldState } from '../../lib/worlds/sdk/protocol.ts'
import { createWorldSdk, type WorldSdk, type WorldSdkOptions } from '../../lib/worlds/sdk/runtime.ts'
import { type Mount, mount } from './support/fake-windows.ts'
import { type RecordingClient, recordingClient } from './support/recording-client.ts'

const ALL = [
  ...[
    'dcn.connectors.read',
    'dcn.transformations.read',
    'dcn.conditions.read',
    'dcn.social.read',
    'dcn.execute',
  ],
]
const TOKEN = 'ab'.repeat(16)

interface Pair extends RecordingClient {
  readonly at: Mount
  readonly host: WorldHost
  readonly sdk: WorldSdk
  readonly events: unknown[]
  readonly logged: unknown[][]
}

const open: { dispose(): void }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.dispose()
})

function pair(
  options: Partial<WorldHostOptions> & { answer?: Parameters<typeof recordingClient>[0] } = {},
  world: Partial<WorldSdkOptions> = {},
): Pair {
  const at = mount()
  const recording = recordingClient(options.answer)
  const events: unknown[] = []
  const logged: unknown[][] = []
  const note = (...entry: unknown[]) => logged.push(entry)
  const host = createWorldHost({
    client: recording.client,
    permissions: ALL,
    channelToken: TOKEN,
    expectedOrigin: 'null',
    logger: { warn: note, error: note },
    onReady: (message) => events.push(['ready', message.worldId]),
    onRendered: (message) => events.push(['rendered', message.requestId]),
    onError: (message) => events.push(['error', message.message]),
    ...at.hostSide,
    ...options,
  })
  const sdk = createWorldSdk({ worldId: 'world', channelToken: TOKEN, ...at.worldSide, ...world })
  open.push(host, sdk)
  return { at, host, sdk, events, logged, ...recording }
}

/** Waits until every message in flight has arrived. */
async function settle() {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

function codeOf(promise: Promise<unknown>) {
  return promise.then(
    (result) => ({ result }),
    (error: { code: string; status?: number; message: string }) =>
      error.status === undefined ? error.code : `${error.code} ${error.status}`,
  )
}

describe('handshake', () => {
  test('ready, state, rendered and error make a round trip', async () => {
    const { host, sdk, events } = pair()
    const states: WorldState[] = []
    const unsubscribe = sdk.onState((state) => states.push(state))
    sdk.ready()
    await settle()
    host.pushState({ requestId: 'r1', payload: { label: 'a' } })
    await settle()
    sdk.reportRendered('r1')
    sdk.reportRendered()
    sdk.reportError('broken')
    unsubscribe()
    host.pushState({ payload: { label: 'b' } })
    await settle()
    expect(states).toEqual([{ requestId: 'r1', payload: { label: 'a' } }])
    expect(events).toEqual([
      ['ready', 'world'],
      ['rendered', 'r1'],
      ['rendered', undefined],
      ['error', 'broken'],
    ])
  })

  test('the host adopts the id that the World names, and then ignores others', async () => {
    const { at, host, sdk, events } = pair()
    expect(host.worldId).toBeUndefined()
    host.pushState({ payload: {} })
    expect(at.world.targets).toEqual([])
    sdk.ready()
    await settle()
    expect(host.worldId).toBe('world')
    const other = createWorldSdk({ worldId: 'other', channelToken: TOKEN, ...at.worldSide })
    open.push(other)
    other.ready()
    await settle()
    expect(events).toEqual([['ready', 'world']])
  })

  test('a configured id is demanded', async () => {
    const { sdk, events } = pair({ worldId: 'expected' })
    sdk.ready()
    await settle()
    expect(events).toEqual([])
  })

  test('a ready of another protocol is ignored', async () => {
    const { at, events } = pair()
    const message = { type: MESSAGE.ready, worldId: 'world', channelToken: TOKEN, protocolVersion: 2 }
    at.page.receive(message, at.world.as(at.page), 'null')
    expect(events).toEqual([])
  })

  test('messages to a frame without an origin are sent to *, with one warning', async () => {
    const { at, host, sdk, logged } = pair({ permissions: [] })
    sdk.ready()
    sdk.ready()
    await settle()
    host.pushState({ payload: {} })
    expect(at.world.targets).toEqual(['*'])
    expect(logged).toHaveLength(1)
  })

  test('before ready, rendered and error are dropped and calls are bad requests', async () => {
    const { sdk, events, calls } = pair()
    sdk.reportRendered('r')
    sdk.reportError('e')
    expect(await codeOf(sdk.connectorGet('a'))).toBe('bad_request')
    expect(events).toEqual([])
    expect(calls).toEqual([])
  })

  test.each<[string, { source?: object; origin?: string; token?: string | undefined }]>([
    ['another window', { source: {} }],
    ['another origin', { origin: 'http://site.test' }],
    ['another token', { token: 'cd'.repeat(16) }],
    ['no token', { token: undefined }],
  ])(
    'the host ignores messages of %s',
    async (_title, wrong: { source?: object; origin?: string; token?: string | undefined }) => {
      const { at, events } = pair()
      const channelToken = 'token' in wrong ? wrong.token : TOKEN
      const message = { type: MESSAGE.ready, worldId: 'world', channelToken, protocolVersion: 1 }
      at.page.receive(message, wrong.source ?? at.world.as(at.page), wrong.origin ?? 'null')
      expect(events).toEqual([])
      at.page.receive({ ...message, channelToken: TOKEN }, at.world.as(at.page), 'null')
      expect(events).toHaveLength(1)
    },
  )

  test.each([
    ['another window', { source: {} }],
    ['another token', { channelToken: 'x' }],
    ['another World', { worldId: 'other' }],
    ['another origin', { origin: 'http://evil.test' }],
  ])('the World ignores messages of %s', (_title, wrong: Record<string, unknown>) => {
    const { at, sdk } = pair({}, { expectedOrigin: 'http://site.test' })
    const states: WorldState[] = []
    sdk.onState((state) => states.push(state))
    const { source = at.page.as(at.world), origin = 'http://site.test', ...fields } = wrong
    const message = { type: MESSAGE.state, worldId: 'world', channelToken: TOKEN, payload: {} }
    at.world.receive({ ...message, ...fields }, source, origin as string)
    expect(states).toEqual([])
    at.world.receive(message, at.page.as(at.world), 'http://site.test')
    expect(states).toHaveLength(1)
  })

  test('one broken listener does not prevent the others from receiving a state', async () => {
    const { host, sdk } = pair()
    const seen: string[] = []
    const errors: unknown[] = []
    const listen = (error: unknown) => errors.push(error)
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException').on('uncaughtException', listen)
    sdk.onState(() => {
      throw new Error('mine')
    })
    sdk.onState(() => seen.push('second'))
    sdk.ready()
    await settle()
    host.pushState({ payload: {} })
    await settle()
    await new Promise((resolve) => setTimeout(resolve, 10))
    process.removeAllListeners('uncaughtException')
    for (const other of others) process.on('uncaughtException', other)
    expect(seen).toEqual(['second'])
    expect(errors).toEqual([new Error('mine')])
  })
})

describe('the token in the URL', () => {
  test('is set under both names, beside existing properties, with the hash retained', () => {
    const { host } = pair()
    const url = new URL(host.worldUrl('http://assets.test/w/index.html?v=1#part'))
    expect([...url.searchParams]).toEqual([
      ['v', '1'],
      ['dcnWorldChannel', TOKEN],
      ['worldChannel', TOKEN],
    ])
    expect(url.hash).toBe('#part')
  })

  test.each([
    '?dcnWorldChannel=t1',
    '?worldChannel=t1',
    '?a=b&worldChannel=t1',
    '#/route?dcnWorldChannel=t1',
    '#?worldChannel=t1',
  ])('is found in %s', async (where) => {
    const at = mount('null', `http://assets.test/index.html${where}`)
    const ready: string[] = []
    const { client } = recordingClient()
    const host = createWorldHost({
      ...at.hostSide,
      client,
      permissions: [],
      channelToken: 't1',
      logger: { warn() {}, error() {} },
      onReady: ({ worldId }) => ready.push(worldId),
    })
    const sdk = createWorldSdk({ worldId: 'w', ...at.worldSide })
    open.push(host, sdk)
    sdk.ready()
    await settle()
    expect(ready).toEqual(['w'])
  })

  test('missing, it is an error that states what to do', () => {
    const at = mount()
    expect(() => createWorldSdk({ worldId: 'w', ...at.worldSide })).toThrow('worldUrl()')
    expect(() => createWorldSdk({ worldId: '', channelToken: 'x', ...at.worldSide })).toThrow('worldId')
  })

  test('is new for each mount', () => {
    const tokens = [1, 2].map(() => {
      const host = createWorldHost({ client: recordingClient().client, permissions: [], ...mount().hostSide })
      open.push(host)
      return host.channelToken
    })
    expect(tokens[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(tokens[0]).not.toBe(tokens[1])
  })
})

describe('the origin of the page', () => {
  const states = async (at: Mount, options: Partial<WorldSdkOptions> = {}) => {
    const sdk = createWorldSdk({ worldId: 'w', channelToken: TOKEN, ...at.worldSide, ...options })
    open.push(sdk)
    let heard = 0
    sdk.onState(() => {
      heard += 1
    })
    const message = { type: MESSAGE.state, worldId: 'w', channelToken: TOKEN, payload: {} }
    at.world.receive(message, at.page.as(at.world), 'http://site.test')
    at.world.receive(message, at.page.as(at.world), 'http://other.test')
    sdk.ready()
    return { heard, target: at.page.targets[0] }
  }

  test('comes from the ancestors', async () => {
    const at = mount()
    Object.assign(at.world.location, { ancestorOrigins: ['http://site.test'] })
    expect(await states(at)).toEqual({ heard: 1, target: 'http://site.test' })
  })

  test('else from the referrer', async () => {
    const at = mount()
    at.world.document.referrer = 'http://site.test/worlds/x'
    expect(await states(at)).toEqual({ heard: 1, target: 'http://site.test' })
  })

  test('else from the URL, where the page wrote it', async () => {
    const at = mount('null', 'http://assets.test/?worldHostOrigin=http://site.test')
    expect(await states(at)).toEqual({ heard: 1, target: 'http://site.test' })
  })

  test('else it is unknown, and never the frame itself', async () => {
    expect(await states(mount())).toEqual({ heard: 2, target: '*' })
  })
})

const CALLS: readonly [keyof WorldCalls, string, (sdk: WorldSdk) => Promise<unknown>, unknown[]][] = [
  ['connectorGet', 'connectors.read', (sdk) => sdk.connectorGet('a'), ['a']],
  ['connectorExists', 'connectors.read', (sdk) => sdk.connectorExists('a'), ['a']],
  ['transformationGet', 'transformations.read', (sdk) => sdk.transformationGet('a'), ['a']],
  ['transformationExists', 'transformations.read', (sdk) => sdk.transformationExists('a'), ['a']],
  ['conditionGet', 'conditions.read', (sdk) => sdk.conditionGet('a'), ['a']],
  ['conditionExists', 'conditions.read', (sdk) => sdk.conditionExists('a'), ['a']],
  [
    'listFormats',
    'connectors.read',
    (sdk) => sdk.listFormats({ limit: 7, after: 'x' }),
    [{ limit: 7, after: 'x' }],
  ],
  [
    'formatInfo',
    'connectors.read',
    (sdk) => sdk.formatInfo('a'.repeat(64), { limit: 100 }),
    ['a'.repeat(64), { limit: 100 }],
  ],
  [
    'feed',
    'social.read',
    (sdk) => sdk.feed({ before: 'c', type: 'connector_added', includeUnfinalized: false }),
    [{ limit: 50, before: 'c', type: 'connector_added', includeUnfinalized: false }],
  ],
  [
    'execute',
    'execute',
    (sdk) => sdk.execute('a', '12', { 0: { start_point: 1, transformation_shift: 2 } }),
    ['a', 12, { 0: { start_point: 1, transformation_shift: 2 } }],
  ],
  ['simulate', 'execute', (sdk) => sdk.simulate('a', 65_536), ['a', 65_536, undefined]],
]

describe.each(CALLS)('%s', (method, permission, call, args) => {
  test.each(['dcn.', 'decentralised.art.'])(`is allowed by %s${permission} alone`, async (family) => {
    const { sdk, calls } = pair({ permissions: [family + permission], answer: () => 'answer' })
    sdk.ready()
    expect(await call(sdk)).toBe('answer')
    expect(calls).toEqual([[method, ...args]])
  })

  test('is denied by everything else', async () => {
    const others = [...ALL, 'browser.audio', '*', 'dcn.', permission].filter(
      (name) => name !== `dcn.${permission}`,
    )
    const { sdk, calls } = pair({ permissions: others })
    sdk.ready()
    expect(await codeOf(call(sdk))).toBe('permission_denied')
    expect(calls).toEqual([])
  })
})

describe('calls', () => {
  test.each([
    ['connectorGet', { name: '' }],
    ['connectorGet', { name: ' ' }],
    ['connectorGet', { name: '..' }],
    ['connectorGet', { name: 7 }],
    ['connectorGet', { name: '\ud800' }],
    ['connectorGet', { name: 'a'.repeat(513) }],
    ['connectorGet', null],
    ['conditionExists', []],
    ['formatInfo', { hash: 'xyz' }],
    ['listFormats', { limit: 0 }],
    ['listFormats', { limit: 101 }],
    ['listFormats', { limit: 1.5 }],
    ['listFormats', { limit: '5' }],
    ['listFormats', { after: '' }],
    ['feed', { includeUnfinalized: 1 }],
    ['feed', { type: 5 }],
    ['execute', { connectorName: 'a' }],
    ['execute', { connectorName: 'a', particlesCount: 65_537 }],
    ['execute', { connectorName: 'a', particlesCount: -1 }],
    ['execute', { connectorName: 'a', particlesCount: '007' }],
    ['execute', { connectorName: 'a', particlesCount: 1e300 }],
    ['execute', { connectorName: 'a', particlesCount: 5, dynamicRi: [] }],
    ['execute', { connectorName: 'a', particlesCount: 5, dynamicRi: { '01': {} } }],
    ['execute', { connectorName: 'a', particlesCount: 5, dynamicRi: { 4294967296: {} } }],
    ['execute', { connectorName: 'a', particlesCount: 5, dynamicRi: { 0: { start_point: 1 } } }],
    [
      'simulate',
      {
        connectorName: 'a',
        particlesCount: 5,
        dynamicRi: { 0: { start_point: -1, transformation_shift: 0 } },
      },
    ],
    [
      'simulate',
      {
        connectorName: 'a',
        particlesCount: 5,
        dynamicRi: Object.fromEntries(
          Array.from({ length: 101 }, (_, i) => [i, { start_point: 1, transformation_shift: 1 }]),
        ),
      },
    ],
  ])('%s with %j never reaches the client', async (method, params) => {
    const { at, sdk, calls } = pair()
    sdk.ready()
    await settle()
    expect(await ask(at, method, params)).toMatchObject({ ok: false, error: { code: 'bad_request' } })
    expect(calls).toEqual([])
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'publishSend', 'nonsense'])(
    '%s is an unknown method',
    async (method) => {
      const { at, sdk, calls } = pair()
      sdk.ready()
      await settle()
      expect(await ask(at, method, {})).toMatchObject({ ok: false, error: { code: 'unknown_method' } })
      expect(calls).toEqual([])
    },
  )

  test('a run stays within the limits of the manifest', async () => {
    const { sdk, calls } = pair({ valueLimits: { particlesCount: { min: 2, max: 8 } } })
    sdk.ready()
    expect(await codeOf(sdk.execute('a', 1))).toBe('bad_request')
    expect(await codeOf(sdk.simulate('a', 9))).toBe('bad_request')
    await sdk.execute('a', 8)
    expect(calls).toHaveLength(1)
  })

  test('a rejection of the API retains its status and nothing else', async () => {
    const { sdk, logged } = pair({
      answer: () => {
        throw Object.assign(new Error('secret in the text'), { status: 503 })
      },
    })
    sdk.ready()
    const error = (await sdk.execute('a', 1).catch((caught) => caught)) as Error & {
      status: number
      code: string
    }
    expect(error).toMatchObject({ name: 'WorldRpcCallError', code: 'host_error', status: 503 })
    expect(error.message).not.toContain('secret')
    expect(logged.flat()).not.toContain('secret in the text')
  })

  test('any other failure reaches the log of the page alone', async () => {
    const failure = new Error('token=12345')
    const { sdk, logged } = pair({
      answer: () => {
        throw failure
      },
    })
    sdk.ready()
    const error = (await sdk.connectorGet('a').catch((caught) => caught)) as Error
    expect(error).toMatchObject({
      code: 'host_error',
      status: undefined,
      message: 'The page could not answer',
    })
    expect(logged.flat()).toContain(failure)
  })

  test('an answer that cannot be copied is a host error', async () => {
    const { sdk } = pair({ answer: () => () => {} })
    sdk.ready()
    expect(await codeOf(sdk.connectorGet('a'))).toBe('host_error')
  })

  test('an answer that does not come is a timeout, and comes too late', async () => {
    let release: (value: unknown) => void = () => {}
    const { sdk } = pair(
      { answer: () => new Promise((resolve) => (release = resolve)) },
      { requestTimeoutMs: 20 },
    )
    sdk.ready()
    expect(await codeOf(sdk.connectorGet('a'))).toBe('timeout')
    release('late')
    await settle()
    const again = sdk.connectorGet('a')
    await settle()
    release('in time')
    expect(await again).toBe('in time')
  })

  test('too many at once are refused, not queued', async () => {
    const releases: ((value: unknown) => void)[] = []
    const { sdk, calls } = pair({ answer: () => new Promise((resolve) => releases.push(resolve)) })
    sdk.ready()
    const all = Array.from({ length: 40 }, (_, index) => codeOf(sdk.connectorExists(`c${index}`)))
    await settle()
    for (const release of releases) release(true)
    const outcomes = await Promise.all(all)
    expect(outcomes.filter((outcome) => outcome === 'host_error 429')).toHaveLength(8)
    expect(calls).toHaveLength(32)
    const next = sdk.connectorExists('next')
    await settle()
    releases.at(-1)?.(true)
    expect(await next).toBe(true)
  })

  test('messages of a World that floods the page are dropped for the rest of the second', async () => {
    let floods = 0
    const { at, sdk, events } = pair({ maxMessagesPerSecond: 50, onFlood: () => (floods += 1) })
    sdk.ready()
    for (let index = 0; index < 500; index += 1) sdk.reportRendered(String(index))
    await settle()
    expect(at.page.targets).toHaveLength(501)
    expect(events.filter((event) => (event as unknown[])[0] === 'rendered')).toHaveLength(49)
    expect(events.filter((event) => (event as unknown[])[0] === 'error')).toEqual([
      ['error', 'The World sends too many messages'],
    ])
    expect(floods).toBe(1)
  })

  test('a listener of the page that throws has no effect on others', async () => {
    const { sdk, events, logged } = pair({
      onReady: () => {
        throw new Error('mine')
      },
    })
    sdk.ready()
    await settle()
    sdk.reportRendered('r')
    await settle()
    expect(events).toEqual([['rendered', 'r']])
    expect(logged.flat()).toContainEqual(new Error('mine'))
  })
})

describe('what is known already', () => {
  test('is read once, also by calls side by side', async () => {
    const { sdk, calls } = pair({ answer: () => ({ name: 'a' }) })
    sdk.ready()
    const [one, two] = await Promise.all([sdk.connectorGet('a'), sdk.connectorGet('a')])
    expect(one).toBe(two)
    await sdk.connectorGet('a')
    expect(await sdk.connectorExists('a')).toBe(true)
    expect(calls).toEqual([['connectorGet', 'a']])
  })

  test('is never an error', async () => {
    let broken = true
    const { sdk, calls } = pair({
      answer: () => {
        if (broken) throw Object.assign(new Error(), { status: 404 })
        return { name: 'a' }
      },
    })
    sdk.ready()
    expect(await codeOf(sdk.conditionGet('a'))).toBe('host_error 404')
    broken = false
    expect(await sdk.conditionGet('a')).toEqual({ name: 'a' })
    expect(calls).toHaveLength(2)
  })

  test('can be seeded, whatever the names, and kinds do not mix', async () => {
    const { host, sdk, calls } = pair({ answer: () => false })
    const states: WorldState[] = []
    sdk.onState((state) => states.push(state))
    sdk.ready()
    await settle()
    const info = { name: 'x', format_hash: 'f' } as never
    host.pushConnectors(
      JSON.parse('{"constructor": {"format_hash": "f"}, "__proto__": {"format_hash": "f"}}'),
    )
    host.pushState({ seed: { conditions: { x: info } } })
    await settle()
    expect(states).toEqual([])
    expect(await sdk.connectorGet('constructor')).toEqual({ format_hash: 'f' })
    expect(await sdk.connectorGet('__proto__')).toEqual({ format_hash: 'f' })
    expect(await sdk.connectorExists('__proto__')).toBe(true)
    expect(await sdk.conditionGet('x')).toEqual(info)
    expect(calls).toEqual([])
    expect(await sdk.connectorExists('toString')).toBe(false)
    expect(await sdk.transformationExists('x')).toBe(false)
    expect(calls).toHaveLength(2)
  })
})

describe('an inspector', () => {
  test('sees all messages, in order and without the token, and none of other Worlds', async () => {
    const seen: [string, string, unknown][] = []
    const { host, sdk, at } = pair({
      onMessage: ({ from, type, fields }) => seen.push([from, type, fields]),
      answer: () => ({ format_hash: 'f' }),
    })
    sdk.ready()
    await settle()
    host.pushState({ requestId: 'r1', payload: { label: 'a' } })
    await sdk.connectorGet('pitch')
    at.page.receive(
      { type: 'x', worldId: 'world', channelToken: 'f'.repeat(32) },
      at.world.as(at.page),
      'null',
    )
    expect(seen.map(([from, type]) => `${from} ${type}`)).toEqual([
      'world dcn:world-ready',
      'page dcn:world-state',
      'world dcn:world-rpc-request',
      'page dcn:world-rpc-response',
    ])
    expect(JSON.stringify(seen)).not.toContain(TOKEN)
    expect(seen[1]?.[2]).toEqual({ requestId: 'r1', payload: { label: 'a' }, worldId: 'world' })
  })
})

describe('dispose', () => {
  test('of the World rejects what is under way and what comes', async () => {
    const { sdk, at } = pair({ answer: () => new Promise(() => {}) })
    sdk.ready()
    const underWay = codeOf(sdk.connectorGet('a'))
    await settle()
    sdk.dispose()
    expect(await underWay).toBe('disposed')
    expect(await codeOf(sdk.connectorGet('a'))).toBe('disposed')
    const sent = at.page.targets.length
    sdk.ready()
    expect(at.page.targets).toHaveLength(sent)
  })

  test('of the host ends the conversation, answers under way included', async () => {
    let release: (value: unknown) => void = () => {}
    const { at, host, sdk, events } = pair({ answer: () => new Promise((resolve) => (release = resolve)) })
    sdk.ready()
    void codeOf(sdk.connectorGet('a'))
    await settle()
    host.dispose()
    release('late')
    sdk.reportRendered('r')
    host.pushState({ payload: {} })
    await settle()
    expect(at.world.targets).toEqual([])
    expect(events).toEqual([['ready', 'world']])
  })
})

/** Sends a call as it is, past the checks of the World's side, and waits for the answer. */
async function ask(at: Mount, method: unknown, params: unknown): Promise<unknown> {
  const answer = new Promise((resolve) => {
    at.world.addEventListener('message', (event) => {
      const { data } = event as MessageEvent
      if (data.requestId === 'asked') resolve(data)
    })
  })
  const message = {
    type: MESSAGE.request,
    worldId: 'world',
    channelToken: TOKEN,
    requestId: 'asked',
    method,
    params,
  }
  at.page.receive(message, at.world.as(at.page), 'null')
  return answer
}

describe('captures', () => {
  const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
  const png = (width = 2, height = 2, more = 0) => {
    const sides = new DataView(new ArrayBuffer(8))
    sides.setUint32(0, width)
    sides.setUint32(4, height)
    return new Blob([new Uint8Array(PNG), sides, new Uint8Array(more)], { type: 'text/html' })
  }

  /** A page with a World that answers by hand. */
  function handmade(captures: unknown = ['clip', 'picture', 'constructor']) {
    const { at, host, sdk } = pair()
    sdk.dispose()
    const asked: { requestId: string; kind: string; seconds?: number }[] = []
    at.world.addEventListener('message', (event) => {
      const { data } = event as MessageEvent
      if (data.type === MESSAGE.capture) asked.push(data)
    })
    const send = (type: string, fields: object) =>
      at.page.receive(
        { type, worldId: 'world', channelToken: TOKEN, ...fields },
        at.world.as(at.page),
        'null',
      )
    send(MESSAGE.ready, { protocolVersion: 1, captures })
    return { host, asked, answer: (fields: object) => send(MESSAGE.captured, fields) }
  }

  test('a picture is given its type by its bytes; answers not asked for, second and late have no effect', async () => {
    const { host, asked, answer } = handmade()
    answer({ requestId: 'capture-1', ok: true, file: png() })
    const picture = host.capture('picture')
    await settle()
    expect(asked).toMatchObject([{ requestId: 'capture-1', kind: 'picture' }])
    expect(await codeOf(host.capture('clip'))).toBe('busy')
    answer({ requestId: 'capture-7', ok: false, message: 'of another' })
    answer({ requestId: 'capture-1', ok: true, file: png(640, 480) })
    answer({ requestId: 'capture-1', ok: false, message: 'the second' })
    expect(await picture).toMatchObject({ type: 'image/png', size: 24 })
    const clip = host.capture('clip', 99)
    await settle()
    expect(asked[1]).toMatchObject({ kind: 'clip', seconds: 10 })
    answer({ requestId: 'capture-2', ok: true, file: png() })
    expect(await codeOf(clip)).toBe('bad_answer')
  })

  test.each([
    ['no file', { ok: true }],
    ['text', { ok: true, file: '<b>' }],
    ['bytes of something else', { ok: true, file: new Blob(['<script>'], { type: 'image/png' }) }],
    ['a cut picture', { ok: true, file: new Blob([new Uint8Array(PNG)]) }],
    ['a picture larger than viewers have memory for', { ok: true, file: png(60_000, 60_000) }],
    ['an empty picture', { ok: true, file: png(0, 1) }],
    ['more than 16 MiB', { ok: true, file: png(2, 2, 16 * 1024 * 1024) }],
    ['neither yes nor no', { ok: 'yes', file: png() }],
  ])('a World that answers with %s is refused, and may be asked again', async (_what, fields) => {
    const { host, asked, answer } = handmade()
    const first = codeOf(host.capture('picture'))
    await settle()
    answer({ requestId: asked[0]?.requestId, ...fields })
    expect(await first).toBe('bad_answer')
    const second = host.capture('picture')
    await settle()
    answer({ requestId: asked[1]?.requestId, ok: true, file: png() })
    expect((await second).size).toBe(24)
  })

  test('a reason of the World is text of a bounded length', async () => {
    const { host, asked, answer } = handmade()
    const refused = host.capture('picture').catch((error: Error) => error.message)
    await settle()
    answer({ requestId: asked[0]?.requestId, ok: false, message: 'x'.repeat(5000) })
    expect(await refused).toHaveLength(300)
  })

  test('what a World does not offer is not asked for, and one that is stopped answers nothing more', async () => {
    expect(await codeOf(pair().host.capture('picture'))).toBe('unsupported')
    for (const captures of [{ 0: 'picture' }, 'picture', [['picture']], null]) {
      expect(await codeOf(handmade(captures).host.capture('picture'))).toBe('unsupported')
    }
    const { host } = handmade()
    const open = codeOf(host.capture('picture'))
    host.dispose()
    expect(await open).toBe('disposed')
  })

  test('a World that does not answer has ten seconds, and a clip its length on top', async () => {
    vi.useFakeTimers()
    try {
      const { host } = handmade()
      const outcomes: unknown[] = []
      void codeOf(host.capture('clip', 3)).then((outcome) => outcomes.push(outcome))
      await vi.advanceTimersByTimeAsync(12_900)
      expect(outcomes).toEqual([])
      await vi.advanceTimersByTimeAsync(200)
      expect(outcomes).toEqual(['timeout'])
    } finally {
      vi.useRealTimers()
    }
  })
})
