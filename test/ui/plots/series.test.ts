import { expect, test } from 'vitest'
import { extentOf } from '#lib/engine/sound/extent.ts'
import { columnsOf, stepsOfLine, valueRange } from '#lib/ui/plots/series.ts'
import { stepPath } from '#lib/ui/plots/svg.tsx'

const HIGHEST = 4_294_967_295

test('columns of 65,536 values retain every peak of the window, and only of it', () => {
  const data = new Array<number>(65_536).fill(10)
  data[40_000] = HIGHEST
  data[100] = 0
  const { low, high, mean } = columnsOf(data, { first: 30_000, last: 50_000 }, 300)
  expect(high.length).toBe(300)
  expect(high.indexOf(40_000)).toBe(150)
  expect([...high].filter((step) => data[step] !== 10)).toHaveLength(1)
  expect(new Set(Array.from(low, (step) => data[step]))).toEqual(new Set([10]))
  expect(mean[0]).toBe(10)
})

test('a line through 65,536 values goes through every peak in two points a column, ascending', () => {
  const data = new Uint32Array(65_536).fill(10)
  data[12_345] = HIGHEST
  data[54_321] = 0
  const steps = stepsOfLine(data, 600)
  expect(steps.length).toBeLessThanOrEqual(1200)
  expect(steps).toContain(12_345)
  expect(steps).toContain(54_321)
  expect(steps.every((step, at) => at === 0 || step > steps[at - 1]!)).toBe(true)
  expect(extentOf(steps.map((step) => data[step]!))).toEqual(extentOf([...data]))
})

test('a line through few values goes through each', () => {
  expect(stepsOfLine([3, 1, 2], 2)).toEqual([0, 1, 2])
  expect(stepsOfLine([], 2)).toEqual([])
})

test('a constant stream has room above and below', () => {
  expect(valueRange({ min: 7, max: 7 })).toEqual([6, 8])
})

test('a path holds each value for its step, and a constant one runs through the middle', () => {
  const box = { width: 8, top: 2, bottom: 6 }
  expect(stepPath([5, 9], box)).toBe('M0.0 6.0h4.0L4.0 2.0h4.0')
  expect(stepPath([5, 5], box)).toBe('M0.0 4.0h4.0L4.0 4.0h4.0')
  expect(stepPath([], box)).toBe('')
})
