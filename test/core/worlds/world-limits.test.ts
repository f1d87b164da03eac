import { expect, test } from 'vitest'
import { worldPageHref } from '#lib/protocol/run-link.ts'
import { countOutside, countRange, usualCount, valueRangeAt } from '#lib/protocol/world-manifest.ts'
import { randomStarts } from '#lib/ui/world/feed/random-starts.ts'

function counts(min: number, max: number) {
  return { particlesCount: { min, max } }
}

test.each([
  [undefined, 1, 65_536, 64],
  [counts(4, 16), 4, 16, 16],
  [counts(100, 1e9), 100, 65_536, 100],
  [counts(-3.5, 2.9), 1, 2, 2],
  [counts(0.2, 0.4), 1, 1, 1],
  [counts(1e9, 1e9), 65_536, 65_536, 65_536],
])('steps of %j', (limits, min, max, usual) => {
  expect(countRange(limits)).toEqual({ min, max })
  expect(usualCount(limits)).toBe(usual)
})

test('a path of the manifest may be the end of a longer one, but no part of a name', () => {
  const limits = { connectorValues: { '/pitch:0': { min: 20.5, max: 127 }, 'time:0': { min: -1, max: 9 } } }
  expect(valueRangeAt(limits, '/weave:0/pitch:0')).toEqual({ min: 21, max: 127 })
  expect(valueRangeAt(limits, '/time:0')).toEqual({ min: 0, max: 9 })
  expect(valueRangeAt(limits, '/overtime:0')).toBeUndefined()
  expect(valueRangeAt({ connectorValues: { '/a:0': { min: 5.2, max: 5.8 } } }, '/a:0')).toBeUndefined()
  const streams = [
    { path: '/weave:0/pitch:0', data: [20, 21, 127, 128] },
    { path: '/organ:0', data: [999] },
  ]
  expect(countOutside(limits, streams)).toBe(2)
})

test('random starts stay in the range of their path and leave alone what is fixed', () => {
  const line = { depth: 0, name: '', otherwise: { startPoint: 0, transformationShift: 0 }, locked: false }
  const lines = [
    { ...line, position: 0, path: '', leadsTo: '' },
    { ...line, position: 1, path: '/weave:0', leadsTo: 'duet' },
    { ...line, position: 2, path: '/weave:0/pitch:0', leadsTo: '' },
    { ...line, position: 3, path: '/weave:1/time:0', leadsTo: '', locked: true },
  ]
  const limits = { connectorValues: { '/pitch:0': { min: 60, max: 71 } } }
  const starts = (random: number) =>
    [...randomStarts(lines, limits, () => random)].map(([position, { start }]) => [position, start])
  expect(starts(0)).toEqual([
    [1, '0'],
    [2, '60'],
  ])
  expect(starts(0.999_999)).toEqual([
    [1, '31'],
    [2, '71'],
  ])
})

test('the URL of a World contains what it draws', () => {
  expect(worldPageHref('night-loom')).toBe('/worlds/night-loom')
  const dynamicRi = [{ position: 2, startPoint: 60, transformationShift: 0 }]
  expect(worldPageHref('night-loom', { connector: 'weave', count: 8, dynamicRi })).toBe(
    '/worlds/night-loom?connector=weave&count=8&ri=2:60',
  )
})
