import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase } from '#lib/platform/db/client.ts'
import { createPointLeases } from '#lib/platform/limits/point-leases.ts'
import type { PointStore } from '#lib/platform/limits/point-store.ts'
import { createRateLimiter, type RateLimiter } from '#lib/platform/limits/rate-limiter.ts'
import { rateLimits } from '#lib/platform/limits/rate-limits.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'

const NONE = rateLimits(0)

/** Number of requests that are let through, one after the other. */
async function allowed(limiters: readonly RateLimiter[], times: number, key: string): Promise<number> {
  let count = 0
  for (let each = 0; each < times; each++) {
    try {
      await limiters[each % limiters.length]?.take('run', key)
      count += 1
    } catch (error) {
      expect(error).toBeInstanceOf(Failure)
      expect((error as Failure).code).toBe('too_many')
      expect((error as Failure).details.retryAfterSeconds).toBeGreaterThan(0)
      expect((error as Failure).details.retryAfterSeconds).toBeLessThanOrEqual(60)
    }
    // As between requests: pending database responses may arrive.
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return count
}

describe('over one database', () => {
  let db: TestDatabase
  beforeAll(async () => {
    db = await createTestDatabase()
  })
  afterAll(() => db.close())

  const limiter = (run: number) => createRateLimiter(db.sql, { ...NONE, run })

  test('one process allows exactly the limit', async () => {
    expect(await allowed([limiter(7)], 20, 'one')).toBe(7)
  })

  test('many at once, too', async () => {
    const own = limiter(40)
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, async () => own.take('run', 'flood')),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(40)
  })

  test('several processes share it, but for what each holds ahead', async () => {
    const count = await allowed([limiter(40), limiter(40)], 120, 'shared')
    expect(count).toBeGreaterThanOrEqual(40 - 2)
    expect(count).toBeLessThanOrEqual(40 + 2 * 2)
  })

  test('keys do not affect each other', async () => {
    const own = limiter(2)
    expect(await allowed([own], 5, 'a')).toBe(2)
    expect(await allowed([own], 5, 'b')).toBe(2)
  })

  test('0 lifts a limit, and no key is not counted', async () => {
    expect(await allowed([limiter(0)], 50, 'free')).toBe(50)
    const own = limiter(1)
    for (let each = 0; each < 5; each++) await own.take('run', undefined)
  })

  test('hostile keys are keys', async () => {
    const own = limiter(1)
    for (const key of ['__proto__', "'; drop table rate_limits; --", 'ü'.repeat(40)]) {
      expect(await allowed([own], 3, key), key).toBe(1)
    }
  })

  test('a thousand requests cost the database a fraction of that', async () => {
    const own = limiter(2000)
    const before = await statements()
    for (let each = 0; each < 1000; each++) await own.take('run', 'program')
    expect((await statements()) - before).toBeLessThan(120)
  })

  const statements = async () => {
    const [row] = await db.sql`select points from rate_limits where key = 'run:program'`
    return (row?.points ?? 0) / 20
  }
})

test('without the database each process counts locally, and no request fails', async () => {
  const nowhere = createDatabase('postgres://nobody@127.0.0.1:1/none')
  try {
    expect(await allowed([createRateLimiter(nowhere.sql, { ...NONE, run: 5 })], 8, 'x')).toBe(5)
  } finally {
    await nowhere.close()
  }
})

describe('leases', () => {
  let now = 0
  let asked: number[] = []
  let left = 0
  const store: PointStore = {
    take: async (_key, points) => {
      asked.push(points)
      const given = Math.max(0, Math.min(points, left))
      left -= points
      return { points: given, windowEndsIn: 60_000 - now }
    },
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  beforeEach(() => {
    now = 0
    asked = []
    left = 400
  })

  test('the first request does not wait, and few query the store', async () => {
    const leases = createPointLeases(store, 400, 60_000, () => now)
    for (let each = 0; each < 100; each++) {
      expect(leases.take('k')).toBeUndefined()
      await settle()
    }
    expect(asked.length).toBeLessThan(12)
  })

  test('a new window begins with nothing of the old one', async () => {
    left = 1
    const leases = createPointLeases(store, 20, 60_000, () => now)
    await leases.take('k')
    await settle()
    now = 10_000
    expect(leases.take('k')).toBe(50_000)
    now = 60_001
    left = 400
    expect(leases.take('k')).toBeUndefined()
  })

  test('while the store is silent, no more than a lease is granted ahead', async () => {
    const leases = createPointLeases({ take: () => new Promise(() => undefined) }, 400, 60_000, () => now)
    const given = Array.from({ length: 50 }, () => leases.take('k')).filter((each) => each === undefined)
    expect(given).toHaveLength(20)
  })
})
