import type { Range } from '../ranges.ts'
import { foldTerm } from './fold-term.ts'
import { constantLast, isMask, wordOf } from './patterns.ts'
import { type Facts, rangeOf, type Term, type Value } from './value.ts'

/** A word that is `factor` · x + `offset` in its low `bits`. */
export interface Line {
  readonly factor: bigint
  readonly offset: bigint
  readonly bits: number
}

/** How a value depends on x, if it is a line. */
export function lineOf(value: Value, x: Term): Line | undefined {
  return foldTerm<Line>(value, x, {
    ofX: { factor: 1n, offset: 0n, bits: 256 },
    ofConstant: (word) => ({ factor: 0n, offset: word, bits: 256 }),
    ofOperation,
  })
}

function ofOperation({ op, operands }: Term, find: (value: Value) => Line | undefined): Line | undefined {
  const [a, b] = operands as readonly [Value, Value]
  switch (op) {
    case 'ADD':
      return sum(find(a), find(b), 1n)
    case 'SUB':
      return sum(find(a), find(b), -1n)
    case 'NOT':
      return sum({ factor: 0n, offset: -1n, bits: 256 }, find(a), -1n)
    case 'MUL': {
      const [of, by] = constantLast(a, b)
      return times(find(of), wordOf(by))
    }
    case 'SHL': {
      const shift = wordOf(a)
      return shift === undefined || shift > 255n ? undefined : times(find(b), 1n << shift)
    }
    case 'AND': {
      const [of, mask] = constantLast(a, b)
      const word = wordOf(mask)
      const line = word !== undefined && isMask(word) ? find(of) : undefined
      return line && { ...line, bits: Math.min(line.bits, word!.toString(2).length) }
    }
    default:
      return undefined
  }
}

function sum(a: Line | undefined, b: Line | undefined, sign: bigint): Line | undefined {
  if (a === undefined || b === undefined) return undefined
  return {
    factor: a.factor + sign * b.factor,
    offset: a.offset + sign * b.offset,
    bits: Math.min(a.bits, b.bits),
  }
}

function times(line: Line | undefined, by: bigint | undefined): Line | undefined {
  if (line === undefined || by === undefined) return undefined
  return { ...line, factor: line.factor * by, offset: line.offset * by }
}

/** Whether the word is the line itself for every x within bounds, with nothing lost above its bits. */
export function isWhole(
  { factor, offset, bits }: Line,
  value: Value,
  { low, high }: Range,
  facts: Facts,
): boolean {
  const limit = 1n << BigInt(bits)
  const ends = [factor * low + offset, factor * high + offset]
  return rangeOf(value, facts).high < limit && ends.every((end) => end >= 0n && end < limit)
}
