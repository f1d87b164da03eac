import { afterEach, describe, expect, test } from 'vitest'
import type { WorldState } from '#lib/core/worlds/sdk/protocol.ts'
import { ask, codeOf, delivered, disposeAll, pair, TOKEN } from './support/sdk-pair.ts'

afterEach(disposeAll)

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
    await delivered()
    expect(await ask(at, method, params)).toMatchObject({ ok: false, error: { code: 'bad_request' } })
    expect(calls).toEqual([])
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'publishSend', 'nonsense'])(
    '%s is an unknown method',
    async (method) => {
      const { at, sdk, calls } = pair()
      sdk.ready()
      await delivered()
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
    await delivered()
    const again = sdk.connectorGet('a')
    await delivered()
    release('in time')
    expect(await again).toBe('in time')
  })

  test('too many at once are refused, not queued', async () => {
    const releases: ((value: unknown) => void)[] = []
    const { sdk, calls } = pair({ answer: () => new Promise((resolve) => releases.push(resolve)) })
    sdk.ready()
    const all = Array.from({ length: 40 }, (_, index) => codeOf(sdk.connectorExists(`c${index}`)))
    await delivered()
    for (const release of releases) release(true)
    const outcomes = await Promise.all(all)
    expect(outcomes.filter((outcome) => outcome === 'host_error 429')).toHaveLength(8)
    expect(calls).toHaveLength(32)
    const next = sdk.connectorExists('next')
    await delivered()
    releases.at(-1)?.(true)
    expect(await next).toBe(true)
  })

  test('messages of a World that floods the page are dropped for the rest of the second', async () => {
    let floods = 0
    const { at, sdk, events } = pair({ maxMessagesPerSecond: 50, onFlood: () => (floods += 1) })
    sdk.ready()
    for (let index = 0; index < 500; index += 1) sdk.reportRendered(String(index))
    await delivered()
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
    await delivered()
    sdk.reportRendered('r')
    await delivered()
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
    await delivered()
    const info = { name: 'x', format_hash: 'f' } as never
    host.pushConnectors(
      JSON.parse('{"constructor": {"format_hash": "f"}, "__proto__": {"format_hash": "f"}}'),
    )
    host.pushState({ seed: { conditions: { x: info } } })
    await delivered()
    expect(states).toHaveLength(2)
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
    await delivered()
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
    await delivered()
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
    await delivered()
    host.dispose()
    release('late')
    sdk.reportRendered('r')
    host.pushState({ payload: {} })
    await delivered()
    expect(at.world.targets).toEqual([])
    expect(events).toEqual([['ready', 'world']])
  })
})
