import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomAddress } from '#test/server/chain/projection.ts'
import { messageOf, startApi, type TestApi } from '#test/support/api.ts'
import { testConfig } from '#test/support/config.ts'
import { until } from '#test/support/until.ts'

/**
 * One client does its worst on one thread of each kind, which never ends by itself within the test; others are answered all
 * the same. The order of the answers is compared, not times.
 */

const { simulate: simulating, compile: compiling } = testConfig()

let api: TestApi

beforeAll(async () => {
  api = await startApi('chain', {
    trustedProxies: 1,
    simulate: { ...simulating, threads: 1, timeoutMs: 170_000, stepLimit: 1_000_000_000_000, maxQueue: 4 },
    compile: { ...compiling, threads: 1, timeoutMs: 170_000, maxQueue: 4 },
  })
  const token = await api.token(randomAddress())
  for (const [kind, body] of [
    ['transformation', { name: 'endless', sol_src: 'while (true) { unchecked { x++; } } return x;' }],
    ['transformation', { name: 'same', sol_src: 'return x;' }],
    ['connector', { name: 'Endless', dimensions: [{ transformations: [{ name: 'endless', args: [] }] }] }],
    ['connector', { name: 'Small', dimensions: [{ transformations: [{ name: 'same', args: [] }] }] }],
  ] as const) {
    const answer = await api.send('POST', `/${kind}`, { token, json: body })
    expect(answer.status, messageOf(answer)).toBe(201)
  }
})
afterAll(() => api?.close())

function from(client: string) {
  return { headers: { 'X-Forwarded-For': client } }
}

/** Counts the requests of a client that have been answered. */
function flood(requests: readonly Promise<{ readonly status: number }>[]) {
  const statuses: number[] = []
  for (const request of requests)
    void request.then(
      ({ status }) => statuses.push(status),
      () => undefined,
    )
  return statuses
}

describe('while one client does its worst', () => {
  test('small runs of others are answered before its endless ones', { timeout: 180_000 }, async () => {
    const leaving = new AbortController()
    const run = (client: string, connector_name: string, signal?: AbortSignal) =>
      api.send('POST', '/simulate', {
        ...from(client),
        json: { connector_name, particles_count: 3 },
        ...(signal && { signal }),
      })
    const networks = ['2001:db8:1::1', '2001:db8:2::1', '2001:db8:3::1', '2001:db8:4::1']
    const ended = flood(networks.map((network) => run(network, 'Endless', leaving.signal)))
    await until('the thread is taken', () => api.services.pools.simulate()?.running === 1)
    for (let n = 1; n <= 3; n++) expect((await run(`203.0.113.${n}`, 'Small')).status).toBe(200)
    expect(ended).toEqual([])
    // What never ends takes a processor from the next test.
    leaving.abort()
    await until('the thread is free', () => api.services.pools.simulate()?.running === 0)
  })

  test('drafts of others are compiled before its costly ones', { timeout: 180_000 }, async () => {
    const [worst, other] = [await api.token(randomAddress()), await api.token(randomAddress())]
    const draft = (client: string, token: string, name: string, sol_src: string) =>
      api.send('POST', '/transformation', { ...from(client), token, json: { name, sol_src } })
    const costly = ['a', 'b', 'c'].map((name) =>
      draft('203.0.113.7', worst, `costly_${name}`, `return x${'+1'.repeat(4_000)};//${name}`),
    )
    const ended = flood(costly)
    await until('the thread is taken', () => api.services.pools.compile()?.running === 1)
    const answer = await draft('203.0.113.8', other, 'cheap', 'return x + 1;')
    expect(answer.status, messageOf(answer)).toBe(201)
    expect(ended).toEqual([])
  })
})
