import type { Hex } from '../domain/entity.ts'

const BYTE_GAS = { zero: 4n, other: 16n }

/** What a transaction with this calldata costs before any code runs. */
export function intrinsicGas(data: Hex): bigint {
  let gas = 21_000n
  for (let at = 2; at < data.length; at += 2) {
    gas += data.slice(at, at + 2) === '00' ? BYTE_GAS.zero : BYTE_GAS.other
  }
  return gas
}
