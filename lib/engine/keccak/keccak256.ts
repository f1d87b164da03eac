import { keccak_256 } from '@noble/hashes/sha3.js'
import { createPermutation, type Permutation } from './permutation.ts'

const RATE = 136

let permutation: Permutation | undefined | 'untried' = 'untried'

/** Keccak-256 as the EVM has it. The 32 bytes are only good until the next call. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  if (permutation === 'untried') permutation = createPermutation()
  if (permutation === undefined) return keccak_256(bytes)
  const { state, permute } = permutation
  state.fill(0)
  let offset = 0
  for (; offset + RATE <= bytes.length; offset += RATE) {
    mix(state, bytes.subarray(offset, offset + RATE))
    permute()
  }
  mix(state, bytes.subarray(offset))
  const rest = bytes.length - offset
  state[rest] = (state[rest] as number) ^ 0x01
  state[RATE - 1] = (state[RATE - 1] as number) ^ 0x80
  permute()
  return state.subarray(0, 32)
}

function mix(state: Uint8Array, block: Uint8Array): void {
  for (let i = 0; i < block.length; i++) state[i] = (state[i] as number) ^ (block[i] as number)
}
