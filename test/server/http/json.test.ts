import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_JSON_DEPTH, readJson } from '#lib/server/http/json.ts'
import { cpuTime } from '#test/support/cpu-time.ts'

describe('readJson', () => {
  test('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value, null, 1)
        fc.pre(text.isWellFormed() && !/\\ud[89a-f]/i.test(text) && !/e[+-]|\.\d{14}|\d{16}/.test(text))
        expect(readJson(text)).toEqual(JSON.parse(text))
      }),
      { seed: 1, numRuns: 500 },
    )
  })

  test.each([
    ['{"a":1,"a":1}', 'equal values'],
    ['{"a":1,"a":2}', 'different values'],
    ['{"a":{"b":[{"c":1,"c":1}]}}', 'nested'],
    [String.raw`{"a":1,"\u0061":2}`, 'spelled differently'],
    ['{"__proto__":1,"__proto__":1}', '__proto__'],
    ['{"toString":1,"toString":1}', 'toString'],
    ['{"":1,"":1}', 'empty'],
    ['{"x":[1,2],"a":"b","x":0}', 'after an array'],
  ])('refuses a repeated key: %s (%s)', (text) => {
    expect(() => readJson(text)).toThrow(/Repeated key/)
  })

  test('distinguishes equal keys of different objects', () => {
    const text = '[{"a":1},{"a":{"a":"a"}},{"b":"a\\":\\"a"}]'
    expect(readJson(text)).toEqual([{ a: 1 }, { a: { a: 'a' } }, { b: 'a":"a' }])
  })

  test('stores hostile names as own properties', () => {
    const value = readJson('{"__proto__":{"x":1},"constructor":2}') as object
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('x' in {}).toBe(false)
  })

  test.each([
    '',
    '   ',
    '{',
    '[1,]',
    "{'a':1}",
    'undefined',
    'NaN',
    '01',
    '+1',
    '"\u0001"',
    '{"a":1}}',
    '\u00a01',
    '// c\n1',
  ])('refuses what is not JSON: %j', (text) => {
    expect(() => readJson(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })

  test.each([
    '1',
    '-0',
    '7.0',
    '1e2',
    '1.50',
    '0.1',
    '123e-1',
    '9007199254740991',
    '0e999',
    '1E+2',
    '100e-2',
  ])('accepts the number %s', (text) => {
    expect(readJson(`[${text}]`)).toEqual([Number(text)])
  })

  test.each(['1.00000000000000000001', '9007199254740993', '1e999', '-1e400', '4294967295.0000000000001'])(
    'refuses the number %s, which a double would change',
    (text) => {
      expect(() => readJson(`[${text}]`)).toThrow(/exactly/)
    },
  )

  test.each([String.raw`"\ud800"`, String.raw`{"\udc00":1}`, '"\ud800"'])(
    'refuses a lone surrogate: %j',
    (text) => {
      expect(() => readJson(text)).toThrow(/surrogate/)
    },
  )

  test('bounds nesting without deep recursion', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(() => readJson(nested(MAX_JSON_DEPTH))).not.toThrow()
    expect(() => readJson(nested(MAX_JSON_DEPTH + 1))).toThrow(/nested deeper/)
    expect(() => readJson(nested(500_000))).toThrow(expect.objectContaining({ code: 'invalid_request' }))
    expect(() => readJson('{"a":'.repeat(150_000))).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    )
  })

  test('reads a megabyte quickly', async () => {
    const entries = Array.from({ length: 20_000 }, (_, i) => `"${i}":{"start_point":${i}e0,"x":"\\u0041"}`)
    expect(await cpuTime(() => readJson(`{${entries.join(',')}}`))).toBeLessThan(2000)
  })
})
