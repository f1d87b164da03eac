/*
 * Characters that texts of authors must not have. The ranges are written out where they can be: properties of Unicode
 * change with its versions, and readers in other languages have to agree.
 */

/** Control characters, line separators, bidirectional controls, byte order marks and tags: they hide or reorder text. */
export const HIDDEN =
  /[^\P{Cc}\t\n]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u
/** In a body no invisible character has a use. */
export const HIDDEN_IN_SOURCE = /[^\P{Cc}\t\n\r]|[\p{Cf}\p{Zl}\p{Zp}]/u

const SPACES = '\\u0020\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000'
/** Drawn as nothing by themselves, though some have a use between other characters. */
const BLANKS =
  '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0\\u{e0080}-\\u{e0fff}'
/** Blocks of combining diacritical marks: stacked, they leave their line. */
const MARKS = '\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f'

const EDGES = new RegExp(`^[${SPACES}${MARKS}]|[${SPACES}]$`, 'u')
const VISIBLE = new RegExp(`[^${SPACES}${BLANKS}${MARKS}]`, 'u')
const STACK = new RegExp(`[${MARKS}]{5}`, 'u')

/**
 * Whether a text is one line that can be seen: well-formed, without hidden characters and tabs, without spaces at its
 * ends, with at least one visible character, and with at most four combining marks in a row.
 *
 * @param most UTF-16 units.
 */
export function isLine(text: string, most: number): boolean {
  return (
    text.length <= most &&
    text.isWellFormed() &&
    !HIDDEN.test(text) &&
    !/[\t\n]/.test(text) &&
    !EDGES.test(text) &&
    VISIBLE.test(text) &&
    !STACK.test(text)
  )
}
