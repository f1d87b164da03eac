import { afterEach, expect, test, vi } from 'vitest'
import { createSiteClock } from '#lib/client/site-clock.ts'

const HOUR = 3600_000
afterEach(() => vi.restoreAllMocks())

test.each([2 * HOUR, -40 * 24 * HOUR])('goes by the site while the clock here is %d ms off', (by) => {
  const truth = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => truth + by)
  const clock = createSiteClock()
  expect(clock.now()).toBe(truth + by)
  clock.note(headers(truth))
  expect(Math.abs(clock.now() - truth)).toBeLessThan(60_000)
})

test('what is cached or unreadable changes nothing', () => {
  const clock = createSiteClock()
  const truth = Date.now()
  clock.note(headers(truth))
  clock.note(headers(truth - HOUR))
  clock.note(new Headers())
  clock.note(new Headers({ date: 'yesterday' }))
  expect(Math.abs(clock.now() - truth)).toBeLessThan(60_000)
  clock.note(headers(truth + HOUR))
  expect(Math.abs(clock.now() - truth - HOUR)).toBeLessThan(60_000)
})

function headers(ms: number): Headers {
  return new Headers({ date: new Date(ms).toUTCString() })
}
