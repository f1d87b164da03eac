/**
 * Words of the EVM, 256 bits without a sign, and one function for every opcode that computes with them. Operands come
 * in the order in which the opcode takes them from the stack, the top first: `sub(a, b)` is a - b, `shl(shift, value)`.
 *
 * A word is a number while it is a safe integer and a BigInt from there on, never otherwise: that keeps the words of
 * ordinary bodies out of BigInt, and makes `===` an exact comparison. Every function takes and returns this form only.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Budget, BudgetExceeded } from './types.ts'

export type Word = number | bigint

const MAX_SAFE = Number.MAX_SAFE_INTEGER
const MAX_SAFE_BIG = BigInt(MAX_SAFE)
const TWO_32 = 2 ** 32
const TWO_256 = 1n << 256n
const MAX_WORD = TWO_256 - 1n
const SIGN_BIT = 1n << 255n

/** The least negative word of so many bytes and one, as it is extended to all 32. */
const NEGATIVE_FROM = Array.from({ length: 31 }, (_, index) => TWO_256 - (1n << BigInt(8 * index + 7)))

const POWERS = Array.from({ length: 53 }, (_, exponent) => 2 ** exponent)

/** Converts a BigInt from 0 to 2^256 - 1. */
export function word(value: bigint): Word {
  return value <= MAX_SAFE_BIG ? Number(value) : value
}

/** The word congruent to any BigInt. */
export function wrap(value: bigint): Word {
  return word(BigInt.asUintN(256, value))
}

// Small negative words are large BigInts: their magnitudes are numbers again, which spares them most of BigInt.
function isNegative(value: Word): boolean {
  return typeof value === 'bigint' && value >= SIGN_BIT
}

function negate(value: Word): Word {
  return value === 0 ? 0 : word(TWO_256 - BigInt(value))
}

// A result in safe range is exact: what lies beyond rounds to something beyond.
export function add(a: Word, b: Word): Word {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (sum <= MAX_SAFE) return sum
  }
  const sum = BigInt(a) + BigInt(b)
  return word(sum >= TWO_256 ? sum - TWO_256 : sum)
}

export function mul(a: Word, b: Word): Word {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (product <= MAX_SAFE) return product
  }
  return wrap(BigInt(a) * BigInt(b))
}

export function sub(a: Word, b: Word): Word {
  if (typeof a === 'number' && typeof b === 'number') return a >= b ? a - b : TWO_256 - BigInt(b - a)
  const difference = BigInt(a) - BigInt(b)
  return word(difference < 0n ? difference + TWO_256 : difference)
}

// The quotient of safe integers never rounds up to the next integer: their product would have to reach 2^54.
export function div(a: Word, b: Word): Word {
  if (b === 0) return 0
  if (typeof a === 'number') return typeof b === 'number' ? Math.floor(a / b) : 0
  return word(a / BigInt(b))
}

export function sdiv(a: Word, b: Word): Word {
  const quotient = div(isNegative(a) ? negate(a) : a, isNegative(b) ? negate(b) : b)
  return isNegative(a) === isNegative(b) ? quotient : negate(quotient)
}

export function mod(a: Word, b: Word): Word {
  if (b === 0) return 0
  if (typeof a === 'number') return typeof b === 'number' ? a % b : a
  return word(a % BigInt(b))
}

/** With the sign of `a`. */
export function smod(a: Word, b: Word): Word {
  const divisor = isNegative(b) ? negate(b) : b
  return isNegative(a) ? negate(mod(negate(a), divisor)) : mod(a, divisor)
}

export function addmod(a: Word, b: Word, modulus: Word): Word {
  if (modulus === 0) return 0
  if (typeof a === 'number' && typeof b === 'number' && typeof modulus === 'number') {
    const sum = a + b
    if (sum <= MAX_SAFE) return sum % modulus
  }
  return word((BigInt(a) + BigInt(b)) % BigInt(modulus))
}

export function mulmod(a: Word, b: Word, modulus: Word): Word {
  if (modulus === 0) return 0
  if (typeof a === 'number' && typeof b === 'number' && typeof modulus === 'number') {
    const product = a * b
    if (product <= MAX_SAFE) return product % modulus
  }
  return word((BigInt(a) * BigInt(b)) % BigInt(modulus))
}

/** By squaring: at most 512 multiplications, whatever the exponent. */
export function exp(base: Word, exponent: Word): Word {
  if (base === 2) return shl(exponent, 1)
  let result: Word = 1
  let square = base
  let exponentBits = BigInt(exponent)
  while (exponentBits > 0n) {
    if ((exponentBits & 1n) === 1n) result = mul(result, square)
    exponentBits >>= 1n
    if (exponentBits > 0n) square = mul(square, square)
  }
  return result
}

/** The sign of the low `index + 1` bytes of `value`, spread over the rest. */
export function signextend(index: Word, value: Word): Word {
  if (typeof index !== 'number' || index >= 31) return value
  const bits = 8 * (index + 1)
  if (typeof value === 'number') {
    const modulus = 2 ** bits
    const low = value % modulus
    if (low < modulus / 2) return low
  } else if (value >= (NEGATIVE_FROM[index] as bigint)) {
    return value
  }
  return wrap(BigInt.asIntN(bits, BigInt(value)))
}

// JavaScript compares numbers with BigInts exactly.
export function lt(a: Word, b: Word): 0 | 1 {
  return a < b ? 1 : 0
}

export function gt(a: Word, b: Word): 0 | 1 {
  return a > b ? 1 : 0
}

export function slt(a: Word, b: Word): 0 | 1 {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? 1 : 0
  if (isNegative(a) === isNegative(b)) return a < b ? 1 : 0
  return isNegative(a) ? 1 : 0
}

export function sgt(a: Word, b: Word): 0 | 1 {
  return slt(b, a)
}

export function eq(a: Word, b: Word): 0 | 1 {
  return a === b ? 1 : 0
}

export function iszero(a: Word): 0 | 1 {
  return a === 0 ? 1 : 0
}

// Bitwise operators of numbers see 32 bits: the upper 21 go through them on their own.
export function and(a: Word, b: Word): Word {
  if (typeof a === 'number') {
    if (typeof b === 'number') {
      const low = (a & b) >>> 0
      return a < TWO_32 || b < TWO_32 ? low : (upper(a) & upper(b)) * TWO_32 + low
    }
    return and(a, Number(b & MAX_SAFE_BIG))
  }
  return typeof b === 'number' ? and(Number(a & MAX_SAFE_BIG), b) : word(a & b)
}

export function or(a: Word, b: Word): Word {
  if (typeof a === 'number' && typeof b === 'number') {
    const low = (a | b) >>> 0
    return a < TWO_32 && b < TWO_32 ? low : (upper(a) | upper(b)) * TWO_32 + low
  }
  return BigInt(a) | BigInt(b)
}

export function xor(a: Word, b: Word): Word {
  if (typeof a === 'number' && typeof b === 'number') {
    const low = (a ^ b) >>> 0
    return a < TWO_32 && b < TWO_32 ? low : (upper(a) ^ upper(b)) * TWO_32 + low
  }
  return word(BigInt(a) ^ BigInt(b))
}

function upper(value: number): number {
  return Math.floor(value / TWO_32)
}

export function not(a: Word): Word {
  return word(MAX_WORD - BigInt(a))
}

/** Byte `index` of `value`, counted from the most significant. */
export function byte(index: Word, value: Word): number {
  if (typeof index !== 'number' || index > 31) return 0
  const shifted = shr(8 * (31 - index), value)
  return typeof shifted === 'number' ? shifted & 0xff : Number(shifted & 0xffn)
}

export function shl(shift: Word, value: Word): Word {
  if (typeof shift !== 'number' || shift > 255) return 0
  if (typeof value === 'number' && shift < 53) {
    const shifted = value * (POWERS[shift] as number)
    if (shifted <= MAX_SAFE) return shifted
  }
  return wrap(BigInt(value) << BigInt(shift))
}

export function shr(shift: Word, value: Word): Word {
  if (typeof shift !== 'number' || shift > 255) return 0
  if (typeof value === 'number') return shift < 53 ? Math.floor(value / (POWERS[shift] as number)) : 0
  return word(value >> BigInt(shift))
}

export function sar(shift: Word, value: Word): Word {
  if (typeof value === 'number' || value < SIGN_BIT) return shr(shift, value)
  if (typeof shift !== 'number' || shift > 255) return MAX_WORD
  return wrap((value - TWO_256) >> BigInt(shift))
}

/** The word in the 32 bytes from `offset` on, most significant first; the view has to reach that far. */
export function loadWord(view: DataView, offset: number): Word {
  const rest =
    view.getUint32(offset) |
    view.getUint32(offset + 4) |
    view.getUint32(offset + 8) |
    view.getUint32(offset + 12) |
    view.getUint32(offset + 16) |
    view.getUint32(offset + 20)
  const middle = view.getUint32(offset + 24)
  if (rest === 0 && middle < 2 ** 21) return middle * TWO_32 + view.getUint32(offset + 28)
  return (
    (view.getBigUint64(offset) << 192n) |
    (view.getBigUint64(offset + 8) << 128n) |
    (view.getBigUint64(offset + 16) << 64n) |
    view.getBigUint64(offset + 24)
  )
}

/** Puts `value` into the 32 bytes from `offset` on. */
export function storeWord(view: DataView, offset: number, value: Word): void {
  if (typeof value === 'number') {
    view.setFloat64(offset, 0)
    view.setFloat64(offset + 8, 0)
    view.setFloat64(offset + 16, 0)
    view.setUint32(offset + 24, value / TWO_32)
    view.setUint32(offset + 28, value)
    return
  }
  view.setBigUint64(offset, value >> 192n)
  view.setBigUint64(offset + 8, value >> 128n)
  view.setBigUint64(offset + 16, value >> 64n)
  view.setBigUint64(offset + 24, value)
}

/** Keccak-256 of `bytes`, as a word. */
export function keccak256(bytes: Uint8Array): Word {
  return loadWord(viewOf(keccak_256(bytes)), 0)
}

/** Keccak-256 of the first `size` bytes of words, as they lie in memory. */
export function keccakPacked(size: Word, ...words: readonly Word[]): Word {
  const bytes = new Uint8Array(words.length * 32)
  const view = viewOf(bytes)
  words.forEach((value, index) => {
    storeWord(view, index * 32, value)
  })
  return keccak256(bytes.subarray(0, Number(size)))
}

/** Ends a run whose budget is used up and is not renewed. */
export function exceeded(budget: Budget): void {
  if (budget.renew?.() !== true) throw new BudgetExceeded()
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
