import { deepEqual, equal, throws } from 'node:assert/strict'
import {
  combine,
  isZero,
  type Linear,
  minus,
  linear as of,
  type Quantity,
  reduced,
  sameSum,
  substituted,
} from '../../../lib/engine/specialise/linear.ts'
import { constant, Unspecialised } from '../../../lib/engine/specialise/value.ts'
import type { PartCase } from './notation.ts'

const TWO_256 = 1n << 256n

/** Least and greatest value of each quantity, as the Runner sends them. */
const BOUNDS: readonly (readonly [Quantity, bigint, bigint])[] = [
  ['count', 1n, 2048n],
  ['lists', 2n, 65_535n],
  ['first', 0n, 65_534n],
  ['cursor', 128n, 128n + 4n * 2047n],
  ['list', 0xc4n, 1n << 31n],
]

function operated(op: string, ...operands: Linear[]) {
  const result = combine(op, operands)
  return 'oneIfZero' in result ? ['test', text(result.oneIfZero)] : text(result)
}

function text(sum: Linear): string {
  const value = reduced(sum)
  if (value.kind === 'constant') return String(value.word)
  return [value.constant, ...[...value.factors].map(([name, by]) => `${by} ${name}`)].join(' + ')
}

function declined(run: () => unknown): void {
  throws(run, Unspecialised)
}

export const sumCases: readonly PartCase[] = [
  ...BOUNDS.map(([quantity, low, high]) => ({
    title: `${quantity} is from ${low} to ${high}`,
    check: () => {
      const less = (by: bigint) => minus(of(0n, { [quantity]: 1n }), of(by))
      const zeroAt = [low - 1n, low, high, high + 1n].map((by) => isZero(less(by)))
      deepEqual(zeroAt, [false, undefined, undefined, false])
      const negative = [low - 1n, low, high, high + 1n].map((by) =>
        isZero(minus(of(by), of(0n, { [quantity]: 1n }))),
      )
      deepEqual(negative, [false, undefined, undefined, false])
    },
  })),
  {
    title: 'sums that may come round to zero are not decided',
    check: () => {
      equal(isZero(of(0n)), true)
      equal(isZero(of(TWO_256)), true)
      equal(isZero(of(7n)), false)
      equal(isZero(of((1n << 255n) - 2049n, { count: 1n })), false)
      equal(isZero(of((1n << 255n) - 2048n, { count: 1n })), undefined)
      equal(isZero(of(-(1n << 255n) + 2049n, { count: -1n })), false)
      equal(isZero(of(-(1n << 255n) + 2048n, { count: -1n })), undefined)
      equal(isZero(of(0n, { count: 1n, lists: -1n })), undefined)
      equal(isZero(of(-1n, { count: 1n })), undefined)
      equal(isZero(of(1n, { count: 4n, first: 2n })), false)
    },
  },
  {
    title: 'sums are modulo 2^256',
    check: () => {
      equal(text(of(TWO_256 - 1n, { count: 1n })), '-1 + 1 count')
      equal(text(of(5n, { count: TWO_256 })), '5')
      equal(text(of(5n, { count: TWO_256 - 2n })), '5 + -2 count')
      equal(text(of(-1n)), String(TWO_256 - 1n))
      equal(sameSum(of(1n, { count: 2n }), of(1n + TWO_256, { count: 2n })), true)
      equal(sameSum(of(1n, { count: 2n }), of(1n, { count: 3n })), false)
      equal(sameSum(constant(7), of(7n)), true)
      equal(sameSum(constant(7), constant(8)), false)
      equal(sameSum(of(0n, { count: 1n }), of(0n, { first: 1n })), false)
    },
  },
  {
    title: 'a quantity is replaced by a sum',
    check: () => {
      const sum = of(3n, { cursor: 2n, count: 5n })
      equal(text(substituted(sum, 'cursor', of(10n, { count: 1n }))), '23 + 7 count')
      equal(substituted(sum, 'list', of(10n)), sum)
    },
  },
  {
    title: 'opcodes of sums',
    check: () => {
      const count = of(1n, { count: 1n })
      const other = of(3n, { count: 2n, first: 1n })
      equal(operated('ADD', count, other), '4 + 3 count + 1 first')
      equal(operated('SUB', count, other), '-2 + -1 count + -1 first')
      equal(operated('SUB', other, other), '0')
      equal(operated('MUL', count, of(3n)), '3 + 3 count')
      equal(operated('MUL', of(3n), count), '3 + 3 count')
      declined(() => operated('MUL', count, other))
      equal(operated('SHL', of(5n), count), '32 + 32 count')
      equal(operated('SHL', of(255n), of(1n, { count: 2n })), String(-(1n << 255n)).replace('-', ''))
      equal(operated('SHL', of(256n), count), '0')
      declined(() => operated('SHL', count, of(1n)))
      equal(operated('NOT', count), '-2 + -1 count')
      deepEqual(operated('EQ', count, other), ['test', '-2 + -1 count + -1 first'])
      deepEqual(operated('ISZERO', count), ['test', '1 + 1 count'])
      for (const op of ['DIV', 'AND', 'LT', 'GT', 'SHR', 'XOR']) declined(() => operated(op, count, of(3n)))
    },
  },
]
