import { describe, expect, test } from 'vitest'
import { histogramOf, statisticsOf } from '#lib/ui/studio/results/statistics.ts'

const MAX = 4_294_967_295

describe('statistics of a stream', () => {
  test('find extremes where they come first, and the mean without losing a unit', () => {
    expect(statisticsOf([5, 2, 9, 2, 9])).toEqual({
      count: 5,
      min: 2,
      max: 9,
      mean: 5.4,
      distinct: 3,
      minAt: 1,
      maxAt: 2,
      trend: 'mixed',
    })
    const large = new Array<number>(65_536).fill(MAX)
    large[0] = MAX - 65_536
    expect(statisticsOf(large)).toMatchObject({ mean: MAX - 1, distinct: 2, trend: 'rising' })
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
    expect(statisticsOf([])).toMatchObject({ count: 0, min: 0, max: 0, mean: 0, distinct: 0 })
  })
})

describe('a histogram', () => {
  test('has a bin for every integer while there are few', () => {
    expect(histogramOf([3, 1, 3, 4], 10)).toEqual([
      { from: 1, to: 1, count: 1 },
      { from: 2, to: 2, count: 0 },
      { from: 3, to: 3, count: 2 },
      { from: 4, to: 4, count: 1 },
    ])
  })

  test.each([1, 2, 7, 40])('of the whole range counts every value once in at most %i bins', (most) => {
    const data = Array.from({ length: 1000 }, (_, i) => Math.floor((i / 999) * MAX))
    const bins = histogramOf(data, most)
    expect(bins.length).toBeLessThanOrEqual(most)
    expect(bins[0]?.from).toBe(0)
    expect(bins.at(-1)?.to).toBe(MAX)
    for (const { from, to, count } of bins) {
      expect(count).toBe(data.filter((value) => value >= from && value <= to).length)
    }
    expect(bins.every(({ from }, i) => i === 0 || from === bins[i - 1]!.to + 1)).toBe(true)
  })

  test('of one value is one bin, of nothing none', () => {
    expect(histogramOf([MAX, MAX], 20)).toEqual([{ from: MAX, to: MAX, count: 2 }])
    expect(histogramOf([], 20)).toEqual([])
  })
})
