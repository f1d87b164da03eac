import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getConnector, postConnector } from '../../lib/server/operations/chain/entities.ts'
import { getFormatInfo } from '../../lib/server/operations/chain/lists.ts'
import { postSimulate } from '../../lib/server/operations/chain/run.ts'
import { streamsForPage } from '../../lib/views/run-connector.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { messageOf, startApi, type TestApi } from './harness.ts'
import { draftArtifact, project, randomAddress } from './projection.ts'

const WIDE = 12
const DEEP = 110

let api: TestApi
let token: string
beforeAll(async () => {
  api = await startApi([getConnector, postConnector, getFormatInfo, postSimulate])
  token = await api.token(randomAddress())
})
afterAll(() => api?.close())

/** The longest name there may be. */
function named(prefix: string, level: number) {
  return `${prefix}${level}_`.padEnd(128, 'x')
}

/** @returns Milliseconds of processor time that storing it took in this thread. */
async function draft(name: string, dimensions: readonly object[]): Promise<number> {
  return cpuTime(async () => {
    const answer = await api.call('POST', '/connector', { token, body: { name, dimensions } })
    expect(answer.status, messageOf(answer)).toBe(201)
  })
}

function over(composite: string) {
  return { transformations: [], composite }
}

/** Bytes of the row that a connector is stored as, uncompressed. */
async function storedBytes(name: string): Promise<number> {
  const [row] = await api.db.sql<{ bytes: number }[]>`
    select octet_length(to_jsonb(a)::text) as bytes from artifacts a where name = ${name}`
  return row!.bytes
}

describe('twelve levels of two dimensions, then 110 of one, all names 128 characters', () => {
  const times: number[] = []

  test('each further level costs what it adds, not what is below it', async () => {
    await draft(named('w', 0), [{ transformations: [] }])
    for (let level = 1; level <= WIDE; level++) {
      const below = over(named('w', level - 1))
      await draft(named('w', level), [below, below])
    }
    for (let level = 1; level <= DEEP; level++) {
      times.push(
        await draft(named('d', level), [over(level === 1 ? named('w', WIDE) : named('d', level - 1))]),
      )
    }
    // The best of twenty: the others measure the collection of garbage.
    const [first, last] = [Math.min(...times.slice(0, 20)), Math.min(...times.slice(-20))]
    expect(last, `${first} ms at first`).toBeLessThan(2 * first + 30)
    const [low, high] = [await storedBytes(named('d', 2)), await storedBytes(named('d', DEEP))]
    expect(high - low).toBeLessThan(1_000)
  })

  test('a run whose answer would be too large is refused before it is made', async () => {
    const before = process.cpuUsage()
    const answer = await api.call('POST', '/simulate', {
      body: { connector_name: named('d', DEEP), particles_count: 1 },
    })
    expect(answer.status).toBe(400)
    // 4096 paths of 122 names, with what JSON puts around them.
    expect(messageOf(answer)).toMatch(
      /^Execution rejected: the answer would have at least 6\d,\d{3},\d{3} bytes/,
    )
    expect(messageOf(answer)).toContain('33,554,432')
    // Of all threads.
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(5_000)
  })
})

test('a format of very many values is stored with the first of them, and answers with all', async () => {
  const name = named('many', 0)
  await draft(
    name,
    Array.from({ length: 400 }, () => ({ transformations: [] })),
  )
  await draft('beside', [over(name)])
  for (const each of [name, 'beside']) await project(api.db, await draftArtifact(api.db, 'connector', each))
  const { body } = await api.call('GET', `/connector/${name}`)
  const { format_hash: hash } = body as { format_hash: string }
  const [row] = await api.db.sql<{ bytes: number; scalars_count: number }[]>`
    select octet_length(scalars::text) as bytes, scalars_count from formats where format_hash = ${`0x${hash}`}`
  expect(row).toMatchObject({ scalars_count: 400 })
  expect(row!.bytes).toBeLessThan(17 * 1024)
  const answer = await api.call('GET', `/format/${hash}?limit=1`)
  expect(answer.body).toMatchObject({ total_connectors: 2, connectors: ['beside'] })
  const expected = Array.from({ length: 400 }, (_, dimension) => `${name}:${dimension}`).toSorted()
  expect((answer.body as { scalars: string[] }).scalars).toEqual(expected)
})

test('a page carries as many streams of very long paths as it has room for', async () => {
  const particles = Array.from({ length: 24 }, (_, index) => ({
    path: `/${index}`.padEnd(16_000, 'x'),
    data: Uint32Array.of(index),
  }))
  expect(streamsForPage(particles)).toHaveLength(2)
  expect(streamsForPage(particles.map(({ data }, index) => ({ path: `/${index}`, data })))).toHaveLength(24)
  expect(streamsForPage([{ path: 'x'.repeat(40_000), data: Uint32Array.of(1) }])).toHaveLength(1)
})
