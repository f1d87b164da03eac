import { describe, expect, test } from 'vitest'
import { NO_STARTS, readTypedStarts, typedStartsOf, withTypedStart } from '../../lib/ui/run/typed-starts.ts'

describe('typed starts', () => {
  test('are empty while both fields are empty, and 0 for the empty one of a pair', () => {
    let typed = withTypedStart(NO_STARTS, 3, { start: '7' })
    typed = withTypedStart(typed, 1, { shift: '2' })
    expect(readTypedStarts(typed)).toEqual({
      ok: true,
      dynamicRi: [
        { position: 1, startPoint: 0, transformationShift: 2 },
        { position: 3, startPoint: 7, transformationShift: 0 },
      ],
    })
    typed = withTypedStart(typed, 1, { shift: ' ' })
    expect([...typed.keys()]).toEqual([3])
  })

  test('that are no uint32 are reported at their field', () => {
    const typed = withTypedStart(withTypedStart(NO_STARTS, 1, { start: '4294967296' }), 2, { shift: 'x' })
    const read = readTypedStarts(typed)
    expect(read.ok ? [] : [...read.problems]).toEqual([
      [1, '4294967296 is outside 0 to 4294967295.'],
      [2, '“x” is not a whole number.'],
    ])
  })

  test('are at most as many as a run takes', () => {
    const many = Array.from({ length: 4097 }, (_, position) => ({
      position,
      startPoint: 1,
      transformationShift: 0,
    }))
    expect(readTypedStarts(typedStartsOf(many)).ok).toBe(false)
    expect(readTypedStarts(typedStartsOf(many.slice(1)))).toEqual({ ok: true, dynamicRi: many.slice(1) })
  })
})
