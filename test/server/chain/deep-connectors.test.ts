import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageOf, startApi, type TestApi } from '#test/support/api.ts'
import { cpuTime } from '#test/support/cpu-time.ts'
import { randomAddress } from './projection.ts'

const WIDE = 12
const DEEP = 110

let api: TestApi
let token: string
beforeAll(async () => {
  api = await startApi('chain')
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
    const answer = await api.send('POST', '/connector', { token, json: { name, dimensions } })
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
    const answer = await api.send('POST', '/simulate', {
      json: { connector_name: named('d', DEEP), particles_count: 1 },
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
