import { describe, expect, test } from 'vitest'
import { extentOf } from '#lib/engine/sound/extent.ts'
import { downsample, valueRange } from '#lib/ui/components/series.ts'

describe('downsample', () => {
  test('retains every peak of 65,536 values in two points a column, ascending', () => {
    const data = new Uint32Array(65_536).fill(10)
    data[12_345] = 4_000_000_000
    data[54_321] = 0
    const { x, y } = downsample(data, 600)
    expect(x.length).toBeLessThanOrEqual(1200)
    expect(y[x.indexOf(12_345)]).toBe(4_000_000_000)
    expect(y[x.indexOf(54_321)]).toBe(0)
    expect(x.every((step, i) => i === 0 || step > x[i - 1]!)).toBe(true)
    expect(extentOf(y)).toEqual(extentOf(data))
  })
})

test('a constant stream has room above and below', () => {
  expect(valueRange({ min: 7, max: 7 })).toEqual([6, 8])
})
