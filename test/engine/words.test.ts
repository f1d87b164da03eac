import fc from 'fast-check'
import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { compute } from '#lib/engine/arithmetic.ts'
import { MAX_WORD, type Range, rangeAfter } from '#lib/engine/ranges.ts'
import type { Word } from '#lib/engine/words.ts'
import * as words from '#lib/engine/words.ts'

test('keccak256 hashes as viem does, around the lengths of its blocks', () => {
  for (const length of [0, 1, 31, 32, 64, 134, 135, 136, 137, 200, 271, 272, 273, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 0xff)
    expect(words.keccak256(bytes)).toBe(words.word(BigInt(keccak256(bytes))))
  }
})

const OPERANDS: Readonly<Record<string, number>> = { ISZERO: 1, NOT: 1, ADDMOD: 3, MULMOD: 3 }
const OPERATIONS =
  'ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR'

/** Mostly at the edges, where bounds go wrong. */
const word = fc.oneof(
  fc.bigInt({ min: 0n, max: 4n }),
  fc
    .integer({ min: 0, max: 256 })
    .chain((bits) => fc.bigInt({ min: 0n, max: MAX_WORD >> BigInt(256 - bits) })),
  fc.bigInt({ min: MAX_WORD - 4n, max: MAX_WORD }),
)

/** Bounds and a word within them, often at an end. */
const bounded = fc.tuple(word, word, fc.nat(3), word).map(([one, other, place, offset]) => {
  const range: Range = one < other ? { low: one, high: other } : { low: other, high: one }
  const inside = range.low + (offset % (range.high - range.low + 1n))
  return { range, word: place === 0 ? range.low : place === 1 ? range.high : inside }
})

function small(value: bigint): Word {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
}

test.each(OPERATIONS.split(' '))('what %s gives lies within its bounds', (op) => {
  const operands = fc.array(bounded, { minLength: OPERANDS[op] ?? 2, maxLength: OPERANDS[op] ?? 2 })
  fc.assert(
    fc.property(operands, (given) => {
      const { low, high } = rangeAfter(
        op,
        given.map(({ range }) => range),
      )
      const result = BigInt(
        compute(
          op,
          given.map((one) => small(one.word)),
        ),
      )
      expect(result >= low && result <= high, `${result} in ${low} … ${high}`).toBe(true)
    }),
    { seed: 7, numRuns: 1000 },
  )
})
