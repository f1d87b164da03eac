import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  decimalKeyMap,
  int32Input,
  limitQuery,
  particlesCountInput,
  uint32Input,
} from '#lib/server/http/inputs.ts'
import { readJson } from '#lib/server/http/json.ts'
import { readQuery } from '#lib/server/http/read-input.ts'
import { validate } from '#lib/server/http/validate.ts'

function accepts(schema: z.ZodType, json: string) {
  return schema.safeParse(readJson(json))
}

describe('integers', () => {
  test.each([
    ['0', 0],
    ['7.0', 7],
    ['1e2', 100],
    ['"7"', 7],
    ['"0"', 0],
    ['4294967295', 4294967295],
    ['"4294967295"', 4294967295],
  ])('uint32 accepts %s', (json, expected) => {
    expect(accepts(uint32Input, json)).toEqual({ success: true, data: expected })
  })

  test('-0 becomes 0', () => {
    expect(Object.is(uint32Input.parse(readJson('-0')), 0)).toBe(true)
  })

  test.each([
    '-1',
    '1.5',
    '4294967296',
    '"4294967296"',
    '"07"',
    '"+7"',
    '" 7"',
    '"7.0"',
    '"1e2"',
    '"-0"',
    '""',
    '"0x10"',
    '"٣"',
    'true',
    'null',
    '[7]',
    '{"valueOf":7}',
  ])('uint32 refuses %s', (json) => {
    expect(accepts(uint32Input, json).success).toBe(false)
  })

  test.each([
    ['-2147483648', true],
    ['2147483647', true],
    ['"-7"', true],
    ['2147483648', false],
    ['-2147483649', false],
    ['"-07"', false],
  ])('int32 %s -> %s', (json, ok) => {
    expect(accepts(int32Input, json).success).toBe(ok)
  })

  test.each([
    ['1', true],
    ['65536', true],
    ['"64"', true],
    ['64.0', true],
    ['0', false],
    ['65537', false],
    ['-1', false],
    ['"x"', false],
    ['1.5', false],
    ['"064"', false],
    ['"0"', false],
  ])('particles_count %s -> %s', (json, ok) => {
    expect(accepts(particlesCountInput, json).success).toBe(ok)
  })
})

describe('limit', () => {
  test.each(['1', '256', '10'])('accepts %s', (text) => {
    expect(limitQuery.parse(text)).toBe(Number(text))
  })

  test.each([
    '0',
    '257',
    '5abc',
    '',
    ' 5',
    '+5',
    '-1',
    '05',
    '1.0',
    '1e2',
    '999',
    '1000',
    '18446744073709551617',
  ])('refuses %j', (text) => {
    expect(limitQuery.safeParse(text).success).toBe(false)
  })
})

describe('maps with decimal keys', () => {
  const map = decimalKeyMap(z.string(), 3)

  test('come back ascending by number, not by text', () => {
    expect(map.parse({ 10: 'c', 9: 'b', 0: 'a' })).toEqual([
      [0, 'a'],
      [9, 'b'],
      [10, 'c'],
    ])
    expect(map.parse({ 4294967295: 'x' })).toEqual([[4294967295, 'x']])
  })

  test.each(['01', ' 1', '-1', '+1', '1.0', '1e0', '4294967296', '', 'x', '__proto__', 'constructor', '٣'])(
    'refuse the key %j',
    (key) => {
      expect(map.safeParse(readJson(`{${JSON.stringify(key)}:"a"}`)).success).toBe(false)
    },
  )

  test('refuse too many entries, and what is no object', () => {
    expect(map.safeParse({ 1: 'a', 2: 'b', 3: 'c', 4: 'd' }).success).toBe(false)
    for (const value of [null, [], ['a'], 'x', 1, true]) expect(map.safeParse(value).success).toBe(false)
  })

  test('an unknown field in a value stops what is chained', () => {
    const chained = decimalKeyMap(z.strictObject({ n: uint32Input }), 3).transform((pairs) =>
      pairs.map(([key]) => key),
    )
    expect(() =>
      validate(z.strictObject({ map: chained }), { map: { 7: { n: 1, more: 1 } } }, 'body'),
    ).toThrow('map.7: unknown field "more"')
  })

  test('a problem in a value names its key', () => {
    const schema = z.strictObject({ bindings: map })
    expect(() => validate(schema, { bindings: { 7: 1 } }, 'body')).toThrow('bindings.7: expected string')
  })
})

describe('query strings', () => {
  const known = new Set(['limit', 'after'])
  test.each([
    ['?limit=5&after=%20a%2Fb+c', { limit: '5', after: ' a/b c' }],
    ['limit=5', { limit: '5' }],
    ['', {}],
    ['?', {}],
    ['?limit', { limit: '' }],
    ['?%6cimit=5', { limit: '5' }],
    ['?x=1&x=2&__proto__=3&%zz=4&limit=1', { limit: '1' }],
    ['?after=a=b', { after: 'a=b' }],
    ['?Limit=3', {}],
  ])('%s', (search, expected) => {
    expect(readQuery(search, known)).toEqual(expected)
  })

  test.each(['?limit=1&limit=1', '?limit=1&%6Cimit=2', '?after=%zz', '?after=%ff', '?after=%'])(
    '%s is refused',
    (search) => {
      expect(() => readQuery(search, known)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
    },
  )
})
