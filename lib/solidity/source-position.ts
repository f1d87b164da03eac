/** Where something is in an author's body: both count from 1, columns in characters (code points). */
export interface SourcePosition {
  readonly line: number
  readonly column: number
}

/**
 * Turns a compiler offset into a position for people.
 *
 * @param offset UTF-8 bytes from the start of the body. Offsets outside are moved to its nearest end.
 */
export function sourcePosition(body: string, offset: number): SourcePosition {
  const bytes = Buffer.from(body)
  const before = bytes.subarray(0, Math.max(0, Math.min(offset, bytes.length))).toString()
  const lines = before.split(/\r\n|[\n\r]/)
  return { line: lines.length, column: [...lines.at(-1)!].length + 1 }
}
