import { afterEach, describe, expect, test } from 'vitest'
import { createWorldHost } from '#lib/core/worlds/sdk/host.ts'
import { MESSAGE, type WorldCalls, type WorldState } from '#lib/core/worlds/sdk/protocol.ts'
import { createWorldSdk, type WorldSdk, type WorldSdkOptions } from '#lib/core/worlds/sdk/runtime.ts'
import { type Mount, mount } from './support/fake-windows.ts'
import { recordingClient } from './support/recording-client.ts'
import { ALL, codeOf, delivered, disposeAll, disposeLater, pair, TOKEN } from './support/sdk-pair.ts'

afterEach(disposeAll)

describe('handshake', () => {
  test('ready, state, rendered and error make a round trip', async () => {
    const { host, sdk, events } = pair()
    const states: WorldState[] = []
    const unsubscribe = sdk.onState((state) => states.push(state))
    sdk.ready()
    await delivered()
    host.pushState({ requestId: 'r1', payload: { label: 'a' } })
    await delivered()
    sdk.reportRendered('r1')
    sdk.reportRendered()
    sdk.reportError('broken')
    unsubscribe()
    host.pushState({ payload: { label: 'b' } })
    await delivered()
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
    expect(host.worldId).toBe('')
    host.pushState({ payload: {} })
    expect(at.world.targets).toEqual([])
    sdk.ready()
    await delivered()
    expect(host.worldId).toBe('world')
    const other = createWorldSdk({ worldId: 'other', channelToken: TOKEN, ...at.worldSide })
    disposeLater(other)
    other.ready()
    await delivered()
    expect(events).toEqual([['ready', 'world']])
  })

  test('a configured id is demanded', async () => {
    const { sdk, events } = pair({ worldId: 'expected' })
    sdk.ready()
    await delivered()
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
    await delivered()
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
    await delivered()
    host.pushState({ payload: {} })
    await delivered()
    await expect.poll(() => errors).toHaveLength(1)
    process.removeAllListeners('uncaughtException')
    for (const other of others) process.on('uncaughtException', other)
    expect(seen).toEqual(['second'])
    expect(errors).toEqual([new Error('mine')])
  })
})

describe('both spellings of messages', () => {
  const dialects = ['dcn', 'decentralised.art'] as const

  test.each(dialects)('the host answers in %s, as the World’s ready has it', async (dialect) => {
    const { at, host, events } = pair({ answer: () => ({ format_hash: 'f' }) })
    const sent: string[] = []
    at.world.addEventListener('message', (event) => sent.push((event as MessageEvent).data.type))
    const say = (kind: string, fields: object = {}) =>
      at.page.receive(
        { type: `${dialect}:world-${kind}`, worldId: 'other-sdk', channelToken: TOKEN, ...fields },
        at.world.as(at.page),
        'null',
      )
    say('rpc-request', { requestId: 'early', method: 'connectorGet', params: { name: 'pitch' } })
    say('ready', { protocolVersion: 1 })
    host.pushState({ requestId: 'r1', payload: {} })
    say('rpc-request', { requestId: 'asked', method: 'connectorGet', params: { name: 'pitch' } })
    say('rendered', { requestId: 'r1' })
    say('error', { message: 'broken' })
    await delivered()
    expect(sent.toSorted()).toEqual(
      ['rpc-response', 'rpc-response', 'state'].map((kind) => `${dialect}:world-${kind}`),
    )
    expect(events).toEqual([
      ['ready', 'other-sdk'],
      ['rendered', 'r1'],
      ['error', 'broken'],
    ])
  })

  test.each([
    ['dcnWorldChannel', 'dcn'],
    ['worldChannel', 'decentralised.art'],
  ])('a World whose URL has only %s speaks %s, and follows the page', async (parameter, dialect) => {
    const at = mount('null', `http://assets.test/w/index.html?${parameter}=${TOKEN}`)
    const sdk = createWorldSdk({ worldId: 'w', ...at.worldSide })
    disposeLater(sdk)
    const sent: string[] = []
    at.page.addEventListener('message', (event) => sent.push((event as MessageEvent).data.type))
    const states: WorldState[] = []
    sdk.onState((state) => states.push(state))
    sdk.ready()
    await delivered()
    for (const by of dialects) {
      at.world.receive(
        { type: `${by}:world-state`, worldId: 'w', channelToken: TOKEN, payload: { by } },
        at.page.as(at.world),
        'http://site.test',
      )
      sdk.reportRendered()
      await delivered()
    }
    expect(states).toEqual(dialects.map((by) => ({ payload: { by } })))
    expect(sent).toEqual([`${dialect}:world-ready`, 'dcn:world-rendered', 'decentralised.art:world-rendered'])
  })

  test('a World that was told its token says each message in both until the page has spoken, and is heard once', async () => {
    const { at, host, events, calls } = pair({ answer: () => ({ format_hash: 'f' }) })
    at.world.location.search = ''
    const sdk = createWorldSdk({ worldId: 'world', channelToken: TOKEN, ...at.worldSide })
    disposeLater(sdk)
    const sent: string[] = []
    at.page.addEventListener('message', (event) => sent.push((event as MessageEvent).data.type))
    sdk.ready()
    await delivered()
    expect(sent).toEqual(['dcn:world-ready', 'decentralised.art:world-ready'])
    expect(events).toEqual([['ready', 'world']])
    host.pushState({ payload: {} })
    await delivered()
    await sdk.connectorGet('pitch')
    expect(sent.slice(2)).toEqual(['dcn:world-rpc-request'])
    expect(calls).toHaveLength(1)
  })

  test.each([
    'DCN:world-ready',
    'dcn:world-ready ',
    ' dcn:world-ready',
    'evil:world-ready',
    'dcn:decentralised.art:world-ready',
    'decentralised.art:dcn:world-ready',
    'decentralisedXart:world-ready',
    'decentralised.art.evil:world-ready',
    'world-ready',
    ':world-ready',
    '__proto__:world-ready',
    'dcn:world-',
    `decentralised.art:world-${'ready'.repeat(60)}`,
  ])('%s is of neither', async (type) => {
    const { at, host, sdk, events } = pair()
    const channelToken = TOKEN
    at.page.receive(
      { type, worldId: 'world', channelToken, protocolVersion: 1 },
      at.world.as(at.page),
      'null',
    )
    expect(events).toEqual([])
    expect(host.worldId).toBe('')
    const states: WorldState[] = []
    sdk.onState((state) => states.push(state))
    const asState = type.replace('ready', 'state')
    at.world.receive(
      { type: asState, worldId: 'world', channelToken, payload: {} },
      at.page.as(at.world),
      'http://site.test',
    )
    expect(states).toEqual([])
    // What they said changed nothing of what is spoken.
    sdk.ready()
    await delivered()
    expect(events).toEqual([['ready', 'world']])
  })
})

describe('states', () => {
  test('callbacks are called for empty and seed-only ones, and payloads are any value', async () => {
    const { host, sdk } = pair()
    const states: WorldState[] = []
    sdk.onState((state) => states.push(state))
    sdk.ready()
    await delivered()
    const payloads = [null, 0, '', 'text', [1, 2], false] as never[]
    host.pushState({})
    host.pushState({ seed: { connectors: {} } })
    host.pushConnectors({})
    for (const payload of payloads) host.pushState({ payload })
    await delivered()
    expect(states).toEqual([
      {},
      { seed: { connectors: {} } },
      { seed: { connectors: {} } },
      ...payloads.map((payload) => ({ payload })),
    ])
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
    disposeLater(host, sdk)
    sdk.ready()
    await delivered()
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
      disposeLater(host)
      return host.channelToken
    })
    expect(tokens[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(tokens[0]).not.toBe(tokens[1])
  })
})

describe('the origin of the page', () => {
  const states = async (at: Mount, options: Partial<WorldSdkOptions> = {}) => {
    const sdk = createWorldSdk({ worldId: 'w', channelToken: TOKEN, ...at.worldSide, ...options })
    disposeLater(sdk)
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

  test('is unknown for a page on the disk, which Chromium names and takes no message for', async () => {
    const at = mount()
    Object.assign(at.world.location, { ancestorOrigins: ['file://'] })
    expect(await states(at)).toEqual({ heard: 2, target: '*' })
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
