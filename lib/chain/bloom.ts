import { hexToBytes, keccak256 } from 'viem'
import type { Hex } from '#lib/protocol/entity.ts'

/** Bytes of the filter in a block's header. */
const BLOOM_BYTES = 256

/** Positions of the three bits of a value: of the pairs of bytes at the start of its hash, eleven bits each. */
function bitsOf(value: Hex): number[] {
  const hash = keccak256(value, 'bytes')
  return [0, 2, 4].map((at) => (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 2047)
}

/**
 * Whether a header's filter of logs may hold all of some values: addresses and topics. One that is malformed holds none.
 *
 * @param bloom `logsBloom` of a header.
 */
export function mayHold(bloom: unknown, values: readonly Hex[]): boolean {
  if (typeof bloom !== 'string' || !/^0x[0-9a-f]{512}$/i.test(bloom)) return false
  const bytes = hexToBytes(bloom as Hex)
  return values.flatMap(bitsOf).every((bit) => {
    const byte = bytes[BLOOM_BYTES - 1 - (bit >> 3)] as number
    return (byte & (1 << (bit & 7))) !== 0
  })
}

/** Whether logs alone set every bit that some values set: by chance, where no log has these values. */
export function explains(
  logs: readonly { readonly address: Hex; readonly topics: readonly Hex[] }[],
  values: readonly Hex[],
): boolean {
  const missing = new Set(values.flatMap(bitsOf))
  const seenValues = new Set<Hex>()
  for (const { address, topics } of logs) {
    for (const value of [address, ...topics]) {
      if (seenValues.has(value)) continue
      seenValues.add(value)
      for (const bit of bitsOf(value)) missing.delete(bit)
    }
    if (missing.size === 0) return true
  }
  return missing.size === 0
}
