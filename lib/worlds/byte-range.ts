/** From `start` up to, not including, `end`. */
export interface ByteSpan {
  readonly start: number
  readonly end: number
}

/**
 * What a `Range` header asks of a file, after RFC 9110.
 *
 * @param size Of the file in bytes.
 * @returns `undefined` for the whole file: no header, another unit, a malformed one, or several ranges, which a server
 *   may answer in full; `'unsatisfiable'` when nothing of the file lies in the range.
 */
export function parseByteRange(
  header: string | undefined,
  size: number,
): ByteSpan | 'unsatisfiable' | undefined {
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '')
  const [, first = '', last = ''] = match ?? []
  if (match === null || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) }
}
