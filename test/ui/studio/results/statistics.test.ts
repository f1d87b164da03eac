import { describe, expect, test } from 'vitest'
import { statisticsOf } from '#lib/ui/studio/results/statistics.ts'

const MAX = 4_294_967_295

describe('statistics of a stream', () => {
  test('find extremes where they come first', () => {
    expect(statisticsOf([5, 2, 9, 2, 9])).toEqual({
      count: 5,
      min: 2,
      max: 9,
      distinct: 3,
      minAt: 1,
      maxAt: 2,
      trend: 'mixed',
    })
    const large = new Array<number>(65_536).fill(MAX)
    large[0] = MAX - 65_536
    expect(statisticsOf(large)).toMatchObject({ distinct: 2, trend: 'rising' })
  })

  test.each([
    [[7, 7, 7], 'constant'],
    [[1], 'constant'],
    [[1, 1, 2], 'rising'],
    [[3, 1, 1], 'falling'],
  ] as const)('of %j are %s', (data, trend) => {
    expect(statisticsOf(data).trend).toBe(trend)
  })

  test('count different values as a set does', () => {
    let state = 7
    const next = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state % below
    }
    for (const below of [1, 2, 50, MAX]) {
      const data = Array.from({ length: 500 }, () => next(below))
      for (const some of [data, data.toSorted((a, b) => a - b), data.toSorted((a, b) => b - a)]) {
        expect(statisticsOf(some).distinct).toBe(new Set(some).size)
      }
    }
  })

  test('of nothing are all zero', () => {
    expect(statisticsOf([])).toMatchObject({ count: 0, min: 0, max: 0, distinct: 0 })
  })
})
