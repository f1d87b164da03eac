import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as s from '#lib/browser/schema.ts'

const name = s.text({ min: 1, max: 3 })
const thing = s.strictObject({
  name,
  kinds: s.optional(s.list(s.oneOf('a', 'b', 3), 2)),
  at: s.nullable(s.pair(s.number({ min: -1, max: 1.5 }), s.whole({ min: 0 }))),
  on: s.truth,
  rest: s.anything,
})
const whole = { name: 'x', kinds: ['a', 3], at: [1.5, 7], on: false, rest: {} }

function wordsOf(schema: s.Schema<unknown>, value: unknown): string[] {
  const read = schema.safeParse(value)
  return read.success ? [] : read.issues.map(({ path, words }) => `${path.join('.')}: ${words}`)
}

describe('a value', () => {
  test('that fits is handed on as it is', () => {
    expect(thing.safeParse(whole)).toEqual({ success: true, data: whole })
    expect(wordsOf(thing, { ...whole, kinds: undefined, at: null })).toEqual([])
    const { kinds: _, rest: __, ...least } = whole
    expect(wordsOf(thing, least)).toEqual([])
  })

  test.each([
    [null, ': expected object'],
    [[], ': expected object'],
    [{ ...whole, name: 7 }, 'name: expected string'],
    [{ ...whole, name: '' }, 'name: too small, at least 1'],
    [{ ...whole, name: 'long' }, 'name: too large, at most 3'],
    [{ ...whole, kinds: 'ab' }, 'kinds: expected array'],
    [{ ...whole, kinds: ['a', 'a', 'a'] }, 'kinds: too large, at most 2'],
    [{ ...whole, kinds: ['a', '3'] }, 'kinds.1: not a value that is known here'],
    [{ ...whole, at: undefined }, 'at: expected array'],
    [{ ...whole, at: [0] }, 'at: expected array'],
    [{ ...whole, at: [2, 0] }, 'at.0: too large, at most 1.5'],
    [{ ...whole, at: [Number.NaN, 0] }, 'at.0: expected number'],
    [{ ...whole, at: ['0', 0] }, 'at.0: expected number'],
    [{ ...whole, at: [0, 0.5] }, 'at.1: expected int'],
    [{ ...whole, at: [0, 2 ** 60] }, `at.1: too large, at most ${Number.MAX_SAFE_INTEGER}`],
    [{ ...whole, on: 1 }, 'on: expected boolean'],
    [{ ...whole, more: 1, most: 2 }, ': unknown field “more”, “most”'],
    [JSON.parse('{"name":"x","at":null,"on":true,"__proto__":{}}'), ': unknown field “__proto__”'],
  ])('%j is refused: %s', (value, words) => {
    expect(wordsOf(thing, value)).toEqual([words])
  })

  test('may have other fields where that is said, and a pattern', () => {
    expect(wordsOf(s.object({ hash: s.text({}, /^[a-f]+$/) }), { hash: 'abc', more: 1 })).toEqual([])
    expect(wordsOf(s.text({}, /^[a-f]+$/), 'xyz')).toEqual([': not a value that is known here'])
  })

  test('is told apart by a field', () => {
    const either = s.union(
      'kind',
      s.strictObject({ kind: s.oneOf('one'), name }),
      s.strictObject({ kind: s.oneOf('two', 'three'), count: s.whole({ max: 4 }) }),
    )
    expect(wordsOf(either, { kind: 'one', name: 'x' })).toEqual([])
    expect(wordsOf(either, { kind: 'three', count: 4 })).toEqual([])
    expect(wordsOf(either, { kind: 'one', count: 4 })).toEqual([
      'name: expected string',
      ': unknown field “count”',
    ])
    expect(wordsOf(either, { kind: 'toString' })).toEqual(['kind: not a value that is known here'])
    expect(wordsOf(either, 'one')).toEqual([': expected object'])
  })

  test('is asked for more only when all else fits', () => {
    const ordered = s.refine(s.list(s.text(), 9), (items) => items[0]!.length > 0, 'the first is empty')
    expect(wordsOf(ordered, ['x'])).toEqual([])
    expect(wordsOf(ordered, [''])).toEqual([': the first is empty'])
    expect(wordsOf(ordered, [7])).toEqual(['0: expected string'])
  })

  test('without end has a few issues', () => {
    expect(wordsOf(s.list(s.strictObject({ name }), 1_000), Array(1_000).fill({ more: 1 }))).toHaveLength(5)
  })

  test('of any shape is read or refused', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const read = s.list(thing, 3).safeParse([value, { ...whole, rest: value }])
        expect(read.success || read.issues.length > 0).toBe(true)
      }),
    )
  })
})
