import type { Hash } from './entity.ts'

const PATTERN = /^(?:0[xX])?([0-9a-fA-F]{64})$/

/**
 * Reads 32 bytes of hex with or without `0x`, any case.
 *
 * @returns the one spelling used inside the code, or undefined when `text` is not a hash.
 */
export function parseHash(text: string): Hash | undefined {
  const digits = PATTERN.exec(text)?.[1]
  return digits === undefined ? undefined : `0x${digits.toLowerCase()}`
}

/** Lower case without `0x`: how the chain API spells format hashes. */
export function bareHash(hash: Hash): string {
  return hash.slice(2)
}
