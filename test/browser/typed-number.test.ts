import { expect, test } from 'vitest'
import { plainNumber, readNumber, UINT32 } from '#lib/browser/typed-number.ts'

test.each([
  ['full width', '１２', 12],
  ['Arabic-Indic', '١٢', 12],
  ['Persian', '۱۲', 12],
  ['Devanagari', '१२', 12],
  ['Thai', '๑๒', 12],
  ['a narrow no-break blank', '1\u202f200', 1200],
  ['a thin blank', '1\u2009200', 1200],
  ['a no-break blank', '1\u00a0200', 1200],
  ['a mark of direction', '\u200f12\u200e', 12],
  ['blanks of ASCII around', '  012 ', 12],
  ['a plus', '+12', 12],
])('a number is read as it is typed: %s', (_, text, value) => {
  expect(readNumber(text, UINT32)).toEqual({ ok: true, value })
})

test.each(['−12', '－１２', '–12'])('a minus of typography: %s', (text) => {
  expect(plainNumber(text)).toBe('-12')
})

test.each(['1 2', '1.5', 'twelve', '½', '1²x', '十二'])('is no whole number: %s', (text) => {
  expect(readNumber(text, UINT32)).toMatchObject({ ok: false })
})
