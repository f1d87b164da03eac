import { equal, ok } from 'node:assert/strict'
import { assume } from '../../../lib/engine/specialise/assume.ts'
import type { Facts } from '../../../lib/engine/specialise/value.ts'
import { evaluate, Notation, type PartCase, read, samples } from './notation.ts'

/** Where a condition holds, or not, what is known of its variables; `never` where that cannot be. */
const ASSUMPTIONS: readonly (readonly [condition: string, holds: boolean, known: string])[] = [
  ['a', true, 'a 1..4294967295'],
  ['a', false, 'a 0..0'],
  ['1', true, ''],
  ['1', false, 'never'],
  ['0', true, 'never'],
  ['0', false, ''],
  ['1..9', false, 'never'],
  ['ISZERO(a)', true, 'a 0..0'],
  ['ISZERO(a)', false, 'a 1..4294967295'],
  ['ISZERO(ISZERO(a))', true, 'a 1..4294967295'],
  ['ISZERO(ISZERO(a))', false, 'a 0..0'],
  // Order.
  ['LT(a, 10)', true, 'a 0..9'],
  ['LT(a, 10)', false, 'a 10..4294967295'],
  ['GT(a, 10)', true, 'a 11..4294967295'],
  ['GT(a, 10)', false, 'a 0..10'],
  ['LT(10, a)', true, 'a 11..4294967295'],
  ['LT(10, a)', false, 'a 0..10'],
  ['LT(0..9, 5..20)', true, '0..9 0..9 5..20 5..20'],
  ['LT(0..9, 0..5)', true, '0..9 0..4 0..5 1..5'],
  ['LT(3..9, 0..5)', true, '3..9 3..4 0..5 4..5'],
  ['LT(3..9, 0..5)', false, '3..9 3..9 0..5 0..5'],
  ['LT(0..9, 4..20)', false, '0..9 4..9 4..20 4..9'],
  ['GT(0..5, 3..9)', true, '0..5 4..5 3..9 3..4'],
  // Equality.
  ['EQ(a, 10)', true, 'a 10..10'],
  ['EQ(a, 10)', false, 'a 0..4294967295'],
  ['EQ(0..9, 4..20)', true, '0..9 4..9 4..20 4..9'],
  ['EQ(3..9, 3)', false, '3..9 4..9'],
  ['EQ(3..9, 9)', false, '3..9 3..8'],
  ['EQ(3..9, 5)', false, '3..9 3..9'],
  ['EQ(3..9, 3..3)', false, '3..9 4..9 3..3 3..3'],
  ['EQ(3..3, 3..9)', false, '3..3 3..3 3..9 4..9'],
  ["EQ(3..3, 3..3')", false, 'never'],
  ["EQ(3..3, 3..3')", true, "3..3 3..3 3..3' 3..3"],
  ['EQ(a, 4294967295)', false, 'a 0..4294967294'],
  // Both, and either.
  ['AND(LT(a, 10), LT(b, 5))', true, 'a 0..9 b 0..4'],
  ['AND(LT(a, 10), LT(b, 5))', false, 'a 0..4294967295 b 0..4294967295'],
  ['OR(LT(a, 10), LT(b, 5))', false, 'a 10..4294967295 b 5..4294967295'],
  ['OR(LT(a, 10), LT(b, 5))', true, 'a 0..4294967295 b 0..4294967295'],
  ['AND(LT(a, 10), GT(a, 20))', true, 'never'],
  ['AND(GT(a, 20), LT(a, 10))', true, 'never'],
  ['AND(LT(a, 10), b)', true, 'a 0..4294967295 b 0..4294967295'],
  ['AND(0..2, LT(a, 10))', true, '0..2 0..2 a 0..4294967295'],
  ['OR(a, b)', false, 'a 0..0 b 0..0'],
  // Through sums and products.
  ['LT(ADD(a, 5), 10)', true, 'a 0..4'],
  ['LT(ADD(a, 5), 10)', false, 'a 5..4294967295'],
  ['GT(ADD(a, 5), 5)', false, 'a 0..0'],
  ['LT(ADD(a, 5), 5)', true, 'never'],
  [
    'LT(ADD(p, 5), 10)',
    true,
    'p 0..115792089237316195423570985008687907853269984665640564039457584007913129639935',
  ],
  ['LT(ADD(a, b), 10)', true, 'a 0..4294967295 b 0..4294967295'],
  ['LT(MUL(a, 3), 10)', true, 'a 0..3'],
  ['LT(MUL(3, a), 10)', true, 'a 0..3'],
  ['LT(MUL(3..9, a), 10)', true, '3..9 3..9 a 0..3'],
  ['LT(MUL(a, 3..9), 10)', true, 'a 0..3 3..9 3..9'],
  ['LT(MUL(1..9, 2..9), 10)', true, '1..9 1..4 2..9 2..9'],
  ['LT(MUL(2..9, 1..9), 10)', true, '2..9 2..9 1..9 1..4'],
  ['LT(MUL(2..9, 3..9), 6)', true, 'never'],
  ['LT(MUL(a, b), 10)', true, 'a 0..4294967295 b 0..4294967295'],
  ['LT(MUL(a, a), 10)', true, 'a 0..3'],
  ['LT(MUL(a, a), 9)', true, 'a 0..2'],
  ['LT(MUL(a, a), 4294967296)', true, 'a 0..65535'],
  ['LT(MUL(a, a), 2)', true, 'a 0..1'],
  ['LT(MUL(a, a), 3)', true, 'a 0..1'],
  ['LT(MUL(a, a), 5)', true, 'a 0..2'],
  [
    'LT(MUL(p, p), 10)',
    true,
    'p 0..115792089237316195423570985008687907853269984665640564039457584007913129639935',
  ],
  [
    'LT(MUL(p, 3), 10)',
    true,
    'p 0..115792089237316195423570985008687907853269984665640564039457584007913129639935',
  ],
  [
    'LT(MUL(0..2^128, 0..2^128-1), 9)',
    true,
    '0..2^128 0..340282366920938463463374607431768211456 0..2^128-1 0..340282366920938463463374607431768211455',
  ],
  [
    'LT(MUL(0..2^128, 1..2^128-1), 9)',
    true,
    '0..2^128 0..8 1..2^128-1 1..340282366920938463463374607431768211455',
  ],
  [
    'LT(MUL(0..2^128, 1..2^128), 9)',
    true,
    '0..2^128 0..340282366920938463463374607431768211456 1..2^128 1..340282366920938463463374607431768211456',
  ],
]

/** Differences that a comparison bounds, which the bounds of the operands alone do not imply. */
const DIFFERENCES: readonly (readonly [
  condition: string,
  holds: boolean,
  difference: string,
  most: bigint | 'any',
])[] = [
  ['LT(a, b)', true, 'SUB(b, a)', 2n ** 32n - 1n],
  ['LT(a, b)', false, 'SUB(a, b)', 2n ** 32n - 1n],
  ['GT(a, b)', true, 'SUB(a, b)', 2n ** 32n - 1n],
  ['LT(a, b)', true, 'SUB(a, b)', 'any'],
  ['LT(a, 10)', true, 'SUB(10, a)', 10n],
  ['LT(a, 10)', false, 'SUB(a, 10)', 2n ** 32n - 11n],
  ['LT(3..9, 0..5)', true, 'SUB(0..5, 3..9)', 2n],
]

export const assumptionCases: readonly PartCase[] = [
  ...ASSUMPTIONS.map(([condition, holds, known]) => ({
    title: `${condition} ${holds ? 'holds' : 'does not hold'}: ${known}`,
    check: () => {
      const expression = read(condition)
      const notation = new Notation()
      const value = notation.value(expression)
      const possible = assume(value, holds, notation.facts, notation.algebra.terms)
      const found = [...notation.variables].map(([name, term]) => {
        const { low, high } = notation.facts.get(term.id) ?? term.range
        return `${name} ${low}..${high}`
      })
      equal(possible ? found.join(' ') : 'never', known)
      for (const values of samples(expression)) {
        if ((evaluate(expression, values) !== 0) !== holds) continue
        ok(possible, `it ${holds ? 'holds' : 'does not hold'} of ${[...values]}`)
        for (const [name, term] of notation.variables) {
          const { low, high } = notation.facts.get(term.id) ?? term.range
          const one = values.get(name)!
          ok(low <= one && one <= high, `${name} of ${[...values]}`)
        }
      }
    },
  })),
  ...DIFFERENCES.map(([condition, holds, difference, most]) => ({
    title: `where ${condition} ${holds ? 'holds' : 'does not hold'}, ${difference} is at most ${most}`,
    check: () => {
      const notation = new Notation()
      ok(assume(notation.value(condition), holds, notation.facts, notation.algebra.terms))
      const value = notation.value(difference)
      ok(value.kind === 'term')
      const { high } = notation.facts.get(value.id) ?? value.range
      equal(high, most === 'any' ? 2n ** 256n - 1n : most)
    },
  })),
  {
    title: 'conditions of conditions are followed so deep, and no deeper',
    check: () => {
      const notation = new Notation()
      // No rule takes these apart: every level is a word of its own.
      const nested = (depth: number): string =>
        depth === 0 ? 'LT(a, 10)' : `OR(${nested(depth - 1)}, 0..1${"'".repeat(depth)})`
      for (const [depth, low] of [
        [6, 10n],
        [7, undefined],
      ] as const) {
        const facts: Facts = new Map()
        ok(assume(notation.value(nested(depth)), false, facts, notation.algebra.terms))
        equal(facts.get(notation.variables.get('a')!.id)?.low, low, `depth ${depth}`)
      }
    },
  },
]
