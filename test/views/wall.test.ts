import { expect, test } from 'vitest'
import { hasInstrument } from '#lib/views/wall.ts'

test.each([
  ['an instrument', [{ path: '0' }, { path: '1', instrument: 'bell' }], true],
  ['a muted instrument', [{ path: '0', instrument: 'bell', muted: true }], false],
  ['silence', [{ path: '0', instrument: 'silent' }], false],
  ['roles alone', [{ path: '0', role: 'velocity' }], false],
  ['nothing', undefined, false],
] as const)(
  'a tile of a piece whose author chose %s is marked as one that sounds: %j %j',
  (_, paths, sounds) => {
    const piece = { particles: 8, tempo: 240, loop: true, sound: paths && { paths } }
    expect(hasInstrument(piece)).toBe(sounds)
  },
)

test('a piece without a presentation is not marked', () => {
  expect(hasInstrument(undefined)).toBe(false)
})
