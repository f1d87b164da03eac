/** Meaning of a text in a number field, or its problem. */
export type TypedNumber =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly sentence: string }

/** Start points, shifts and arguments of transformations. */
export const UINT32 = { min: 0, max: 4_294_967_295 } as const

/** Arguments of conditions. */
export const INT32 = { min: -2_147_483_648, max: 2_147_483_647 } as const

/**
 * A typed number in ASCII: digits of any script, signs of typography, without the blanks of typography that group digits.
 *
 * @example plainNumber('−１\u202f٢') // '-12'
 */
export function plainNumber(text: string): string {
  return text
    .replace(/(?!\x20)[\p{Z}\p{Cf}]/gu, '')
    .normalize('NFKC')
    .trim()
    .replace(/\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0) as number)))
    .replace(/^[\u2010-\u2015\u2212]/, '-')
    .replace(/^\+/, '')
}

/** Digits of a script stand together, ten by ten, from its zero on. */
function digitValue(code: number): number {
  let before = 0
  while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before += 1
  return before % 10
}

/** Reads a decimal integer; blanks and leading zeros do not matter. */
export function readNumber(text: string, range: { readonly min: number; readonly max: number }): TypedNumber {
  const trimmed = plainNumber(text)
  if (trimmed === '') return { ok: false, sentence: 'A number is missing.' }
  if (!/^-?[0-9]+$/.test(trimmed))
    return { ok: false, sentence: `“${shortened(text.trim())}” is not a whole number.` }
  const value = Number(trimmed)
  if (value < range.min || value > range.max) {
    return { ok: false, sentence: `${shortened(trimmed)} is outside ${range.min} to ${range.max}.` }
  }
  return { ok: true, value: value + 0 }
}

function shortened(text: string): string {
  return text.length <= 24 ? text : `${text.slice(0, 23)}…`
}
