import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import * as words from '../../lib/engine/words.ts'

test('keccak256 hashes as viem does, around the lengths of its blocks', () => {
  for (const length of [0, 1, 31, 32, 64, 134, 135, 136, 137, 200, 271, 272, 273, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 0xff)
    expect(words.keccak256(bytes)).toBe(words.word(BigInt(keccak256(bytes))))
  }
})
