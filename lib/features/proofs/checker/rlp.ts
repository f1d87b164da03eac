/** Text and lists of the Recursive Length Prefix encoding. */
export type Rlp = Uint8Array | readonly Rlp[]

/** The bytes are no canonical RLP. */
export class MalformedRlp extends Error {
  override readonly name = 'MalformedRlp'
}

const MAX_DEPTH = 16

/**
 * Decodes one item in the only encoding that Ethereum accepts: shortest lengths, nothing behind the end.
 *
 * @throws MalformedRlp
 */
export function decodeRlp(bytes: Uint8Array): Rlp {
  const { item, end } = itemAt(bytes, 0, bytes.length, 0)
  if (end !== bytes.length) throw new MalformedRlp('bytes after the end')
  return item
}

function itemAt(bytes: Uint8Array, at: number, limit: number, depth: number): { item: Rlp; end: number } {
  if (at >= limit || depth > MAX_DEPTH) throw new MalformedRlp('ends early')
  const head = bytes[at] as number
  if (head < 0x80) return { item: bytes.subarray(at, at + 1), end: at + 1 }
  const base = head < 0xc0 ? 0x80 : 0xc0
  let size = head - base
  let start = at + 1
  if (size > 55) {
    const digits = size - 55
    start += digits
    if (digits > 4 || start > limit || bytes[at + 1] === 0) throw new MalformedRlp('length not canonical')
    size = bytes.subarray(at + 1, start).reduce((sum, byte) => sum * 256 + byte, 0)
    if (size < 56) throw new MalformedRlp('length not canonical')
  }
  const end = start + size
  if (end > limit) throw new MalformedRlp('ends early')
  if (base === 0x80) {
    const item = bytes.subarray(start, end)
    if (size === 1 && (item[0] as number) < 0x80) throw new MalformedRlp('byte not canonical')
    return { item, end }
  }
  const list: Rlp[] = []
  while (start < end) {
    const next = itemAt(bytes, start, end, depth + 1)
    list.push(next.item)
    start = next.end
  }
  return { item: list, end }
}
