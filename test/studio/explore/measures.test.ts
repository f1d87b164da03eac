import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measure, withNovelty } from '#lib/studio/explore/measures.ts'

function of(...streams: readonly (readonly number[])[]) {
  return measure(Uint32Array.from(streams.flat()), streams.length, streams[0]!.length)
}
function steps(count: number, value: (step: number) => number): number[] {
  return Array.from({ length: count }, (_, step) => value(step) >>> 0)
}

describe('range', () => {
  test('is the mean of the bits that the widths of the streams take', () => {
    expect(of([5, 5, 5]).range).toBe(0)
    expect(of([0, 0xffff_ffff]).range).toBe(32)
    expect(of([3, 10, 3], [4, 4, 4]).range).toBe(1.5)
  })
})

describe('period', () => {
  test('is exact within the window', () => {
    expect(of(steps(256, (step) => (step * 5) % 12)).period).toBe(12)
    expect(of(steps(64, () => 9)).period).toBe(1)
    expect(of(steps(256, (step) => step)).period).toBe(0)
    // Once and a half is no repetition.
    expect(of([1, 2, 3, 4, 1, 2]).period).toBe(0)
    expect(of([1, 2, 3, 1, 2, 3]).period).toBe(3)
  })

  test('of several streams is that after which all of them repeat', () => {
    const twelve = steps(256, (step) => step % 12)
    const eight = steps(256, (step) => step % 8)
    expect(of(twelve, eight).period).toBe(24)
    expect(
      of(
        twelve,
        steps(256, (step) => step),
      ).period,
    ).toBe(0)
  })

  test('is that found by trying each in turn', () => {
    const data = fc.array(fc.nat(2), { minLength: 1, maxLength: 24 })
    fc.assert(
      fc.property(data, fc.integer({ min: 1, max: 5 }), (round, times) => {
        const values = Array.from({ length: times }, () => round).flat()
        const count = values.length
        const tried = Array.from({ length: Math.floor(count / 2) }, (_, index) => index + 1)
        const expected = tried.find((period) =>
          values.every((value, at) => at < period || value === values[at - period]),
        )
        expect(of(values).period).toBe(expected ?? 0)
      }),
    )
  })
})

describe('entropy', () => {
  test('is that of the changes, whatever their size', () => {
    expect(of(steps(256, (step) => step * 1000)).entropy).toBe(0)
    expect(of([0, 1, 3, 4, 6, 7, 9]).entropy).toBeCloseTo(1)
    expect(of([5]).entropy).toBe(0)
    // Downwards is a change like any other, modulo 2^32.
    expect(of(steps(100, (step) => 1000 - step)).entropy).toBe(0)
  })
})

describe('novelty', () => {
  test('is largest for what is unlike the others, 0 among equals, and between 0 and 1', () => {
    const count = 32
    const rise = Uint32Array.from(steps(count, (step) => step))
    const other = Uint32Array.from(steps(count, (step) => (step * 7919) % 31))
    const values = [...Array.from({ length: 7 }, () => rise), other]
    const found = withNovelty(
      values.map((one) => measure(one, 1, count)),
      values,
      1,
      count,
    ).map(({ novelty }) => novelty)
    expect(found.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 0])
    expect(found[7]).toBeGreaterThan(0.1)
    expect(found[7]).toBeLessThanOrEqual(1)
    expect(withNovelty([measure(rise, 1, count)], [rise], 1, count)[0]!.novelty).toBe(0)
  })
})
