/** A compiler diagnostic, as the server sends it. */
export interface BodyDiagnostic {
  /** From 1; null when it is about the body as a whole. */
  readonly line: number | null
  /** From 1, in characters (code points). */
  readonly column: number | null
  readonly message: string
}

/**
 * Where a diagnostic is in a text, in UTF-16 units: from its place to the end of the word there, at least one
 * character where there is one. Places beyond the text, of a body that has changed meanwhile, move to its nearest end.
 *
 * @param text With `\n` line ends.
 */
export function diagnosticRange(
  text: string,
  { line, column }: BodyDiagnostic,
): { from: number; to: number } {
  const lines = text.split('\n')
  if (line === null || column === null) return { from: 0, to: lines[0]!.length }
  const row = Math.min(Math.max(line, 1), lines.length) - 1
  const content = lines[row]!
  const start = lines.slice(0, row).reduce((sum, before) => sum + before.length + 1, 0)
  const offset = [...content].slice(0, Math.max(column, 1) - 1).join('').length
  const word = /^(?:[\w$]+|[^\s])/u.exec(content.slice(offset))?.[0] ?? ''
  // At the end of a line something is missing: the character before shows where.
  if (word === '' && offset > 0) return { from: start + offset - 1, to: start + offset }
  return { from: start + offset, to: start + offset + word.length }
}

/** As a sentence with its place: `Line 2, column 11: Undeclared identifier.` */
export function diagnosticText({ line, column, message }: BodyDiagnostic): string {
  return line === null || column === null ? message : `Line ${line}, column ${column}: ${message}`
}

/** The smallest replacement that makes one text of another, so that a cursor elsewhere stays where it is. */
export function textChange(
  before: string,
  after: string,
): { readonly from: number; readonly to: number; readonly insert: string } | undefined {
  if (before === after) return undefined
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from++
  let tail = 0
  while (tail < shorter - from && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) }
}
