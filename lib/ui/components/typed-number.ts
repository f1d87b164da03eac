/** What a text in a number field stands for, or what is wrong with it. */
export type TypedNumber =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly sentence: string }

/** Start points, shifts and arguments of transformations. */
export const UINT32 = { min: 0, max: 4_294_967_295 } as const

/** Arguments of conditions. */
export const INT32 = { min: -2_147_483_648, max: 2_147_483_647 } as const

/** Reads a decimal integer; blanks around it and leading zeros do not matter. */
export function readNumber(text: string, range: { readonly min: number; readonly max: number }): TypedNumber {
  const trimmed = text.trim()
  if (trimmed === '') return { ok: false, sentence: 'A number is missing.' }
  if (!/^-?[0-9]+$/.test(trimmed))
    return { ok: false, sentence: `“${shortened(trimmed)}” is not a whole number.` }
  const value = Number(trimmed)
  if (value < range.min || value > range.max) {
    return { ok: false, sentence: `${shortened(trimmed)} is outside ${range.min} to ${range.max}.` }
  }
  return { ok: true, value: value + 0 }
}

function shortened(text: string): string {
  return text.length <= 24 ? text : `${text.slice(0, 23)}…`
}
