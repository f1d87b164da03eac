/** Nothing that can be found is longer. */
const MAX_CHARACTERS = 128

/** A search as people typed it, in the form that the queries take. */
export interface QueryText {
  /** Trimmed, one line, at most 128 characters; '' finds nothing. */
  readonly text: string
  /** Patterns for `like`, in which nothing the person typed is a wildcard. */
  readonly beginning: string
  readonly part: string
  /** Long enough for parts and misspellings: two letters are a part of nearly everything. */
  readonly fuzzy: boolean
}

export function readQueryText(typed: string): QueryText {
  const line = typed
    .slice(0, 4 * MAX_CHARACTERS)
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  const text = [...line].slice(0, MAX_CHARACTERS).join('').trimEnd()
  const literal = text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')
  return {
    text,
    beginning: `${literal}%`,
    part: `%${literal}%`,
    fuzzy: (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3,
  }
}
