import fc from 'fast-check'
import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import * as words from '../../lib/engine/words.ts'
import { anyWord } from './step-programs.ts'

const SEED = 20_261
const CASES = Number(process.env.ENGINE_PROGRAMS ?? 40) * 10

function wrap(value: bigint) {
  return BigInt.asUintN(256, value)
}
function signed(value: bigint) {
  return BigInt.asIntN(256, value)
}
function truth(holds: boolean) {
  return holds ? 1n : 0n
}

/** The yellow paper's definitions, on nothing but BigInt. */
const DEFINITIONS: Record<string, (...operands: [bigint, bigint, bigint]) => bigint> = {
  add: (a, b) => wrap(a + b),
  mul: (a, b) => wrap(a * b),
  sub: (a, b) => wrap(a - b),
  div: (a, b) => (b === 0n ? 0n : a / b),
  sdiv: (a, b) => (b === 0n ? 0n : wrap(signed(a) / signed(b))),
  mod: (a, b) => (b === 0n ? 0n : a % b),
  smod: (a, b) => (b === 0n ? 0n : wrap(signed(a) % signed(b))),
  addmod: (a, b, modulus) => (modulus === 0n ? 0n : (a + b) % modulus),
  mulmod: (a, b, modulus) => (modulus === 0n ? 0n : (a * b) % modulus),
  exp: (base, exponent) => power(base, exponent),
  signextend: (index, value) => (index > 30n ? value : wrap(BigInt.asIntN(Number(index) * 8 + 8, value))),
  lt: (a, b) => truth(a < b),
  gt: (a, b) => truth(a > b),
  slt: (a, b) => truth(signed(a) < signed(b)),
  sgt: (a, b) => truth(signed(a) > signed(b)),
  eq: (a, b) => truth(a === b),
  iszero: (a) => truth(a === 0n),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  not: (a) => wrap(~a),
  byte: (index, value) => (index > 31n ? 0n : (value >> (8n * (31n - index))) & 0xffn),
  shl: (shift, value) => (shift > 255n ? 0n : wrap(value << shift)),
  shr: (shift, value) => (shift > 255n ? 0n : value >> shift),
  sar: (shift, value) => wrap(signed(value) >> (shift > 255n ? 255n : shift)),
}

function power(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return 1n
  const half = power(base, exponent >> 1n)
  return wrap(half * half * ((exponent & 1n) === 1n ? base : 1n))
}

describe('words', () => {
  test.each(Object.entries(DEFINITIONS))('%s is exact, in the one form that words have', (name, define) => {
    const compute = (words as unknown as Record<string, (...operands: words.Word[]) => words.Word>)[name]
    fc.assert(
      fc.property(anyWord, anyWord, anyWord, (a, b, c) => {
        const result = compute?.(...[a, b, c].map(words.word).slice(0, compute.length))
        expect(result).toBe(words.word(define(a, b, c)))
      }),
      { seed: SEED, numRuns: CASES },
    )
  })

  test('come back from memory as they went there', () => {
    const view = new DataView(new ArrayBuffer(80))
    fc.assert(
      fc.property(anyWord, fc.nat(48), (value, offset) => {
        words.storeWord(view, offset, words.word(value))
        expect(words.loadWord(view, offset)).toBe(words.word(value))
      }),
      { seed: SEED, numRuns: CASES },
    )
  })
})

describe('keccak256', () => {
  test('hashes as viem does, around the lengths of its blocks', () => {
    for (const length of [0, 1, 31, 32, 64, 134, 135, 136, 137, 200, 271, 272, 273, 1000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) & 0xff)
      expect(words.keccak256(bytes)).toBe(words.word(BigInt(keccak256(bytes))))
    }
  })
})
