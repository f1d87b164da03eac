import { expect, test } from 'vitest'
import { singleFlight } from '#lib/platform/cache/single-flight.ts'

test('concurrent callers share a run, but none that began before the call', async () => {
  const running: ((value: number) => void)[] = []
  const shared = singleFlight<number>()
  const call = () => shared('a', () => new Promise((resolve) => running.push(resolve)))
  const first = call()
  const second = [call(), call(), call()]
  expect(running).toHaveLength(1)
  running[0]?.(1)
  expect(await first).toBe(1)
  await expect.poll(() => running.length).toBe(2)
  const third = call()
  running[1]?.(2)
  expect(await Promise.all(second)).toEqual([2, 2, 2])
  await expect.poll(() => running.length).toBe(3)
  running[2]?.(3)
  expect(await third).toBe(3)
})

test('a failure is that of its callers only', async () => {
  let runs = 0
  const shared = singleFlight<number>()
  const call = () =>
    shared('a', async () => {
      runs += 1
      if (runs < 3) throw new Error(`run ${runs}`)
      return runs
    })
  const outcomes = await Promise.allSettled([call(), call(), call()])
  expect(outcomes.map((each) => each.status === 'rejected' && String(each.reason))).toEqual([
    'Error: run 1',
    'Error: run 2',
    'Error: run 2',
  ])
  expect(await call()).toBe(3)
})
