import { expect, test } from 'vitest'
import { compareRuns } from '#lib/ui/studio/results/compare.ts'
import { describeComparison, describeDifference } from '#lib/ui/studio/results/descriptions.ts'

test('runs are compared path by path, also when paths come, go, or are called like parts of every object', () => {
  const before = [
    { path: '/a:0', data: [1, 2, 3] },
    { path: '/gone:0', data: [1] },
    { path: '__proto__', data: [4_294_967_295] },
  ]
  const after = [
    { path: '__proto__', data: [0] },
    { path: '/a:0', data: [1, 9, 3, 4] },
    { path: '/new:0', data: [5] },
  ]
  const differences = compareRuns(before, after)
  expect(differences.map(({ path, steps, first, largest }) => [path, steps, first, largest])).toEqual([
    ['__proto__', 1, 0, 4_294_967_295],
    ['/a:0', 2, 1, 7],
    ['/new:0', 1, 0, 0],
    ['/gone:0', 1, 0, 0],
  ])
  expect(describeComparison(differences)).toBe(
    '2 of 2 voices differ, first at step 0; 1 voice new; 1 voice gone.',
  )
  expect(differences.map(describeDifference)).toEqual([
    'Differs at 1 step, first at 0, by up to 4,294,967,295.',
    'Differs at 2 steps, first at 1, by up to 7.',
    'New: the pinned run has no such voice.',
    'Gone: only the pinned run has this voice.',
  ])
})

test('equal runs are the same, and a path that repeats is paired in order', () => {
  const run = [
    { path: '/a:0', data: [1] },
    { path: '/a:0', data: [2] },
  ]
  const differences = compareRuns(run, structuredClone(run))
  expect(differences.map(({ steps }) => steps)).toEqual([0, 0])
  expect(describeComparison(differences)).toBe('Same numbers in every voice both have.')
  expect(describeDifference(differences[0]!)).toBe('Same as pinned.')
})
