import { MAX_WORD } from '../ranges.ts'
import { foldTerm } from './fold-term.ts'
import { constantLast, isPower, wordOf } from './patterns.ts'
import type { Term, Value } from './value.ts'

/** A word that is linear in the bits of x: which of its bits each bit of x flips, and last what they are for 0. */
export type Columns = readonly bigint[]

const BITS = Array.from({ length: 32 }, (_, i) => 1n << BigInt(i))

/** How a value depends on the bits of x, if it is linear in them. */
export function columnsOf(value: Value, x: Term): Columns | undefined {
  return foldTerm<Columns>(value, x, {
    ofX: [...BITS, 0n],
    ofConstant: (word) => [...BITS.map(() => 0n), word],
    ofOperation,
  })
}

function ofOperation(
  { op, operands }: Term,
  find: (value: Value) => Columns | undefined,
): Columns | undefined {
  const [a, b] = operands as readonly [Value, Value]
  switch (op) {
    case 'XOR':
      return both(find(a), find(b))
    case 'OR':
    case 'ADD':
      return apart(find(a), find(b))
    case 'NOT':
      return both(find(a), [...BITS.map(() => 0n), MAX_WORD])
    case 'AND': {
      const [of, mask] = constantLast(a, b)
      const word = wordOf(mask)
      return word === undefined ? undefined : find(of)?.map((column) => column & word)
    }
    case 'SHL':
      return shifted(find(b), wordOf(a))
    case 'SHR':
      return shifted(find(b), negative(wordOf(a)))
    case 'MUL': {
      const [of, by] = constantLast(a, b)
      return shifted(find(of), placeOf(wordOf(by)))
    }
    case 'DIV':
      return shifted(find(a), negative(placeOf(wordOf(b))))
    default:
      return undefined
  }
}

function both(a: Columns | undefined, b: Columns | undefined): Columns | undefined {
  return a && b && a.map((column, i) => column ^ b[i]!)
}

/** Bits that never meet are put together by any of `or`, `add` and `xor`. */
function apart(a: Columns | undefined, b: Columns | undefined): Columns | undefined {
  return a && b && (reach(a) & reach(b)) === 0n ? both(a, b) : undefined
}

/** All bits that can be set. */
export function reach(columns: Columns): bigint {
  return columns.reduce((all, column) => all | column, 0n)
}

function shifted(columns: Columns | undefined, places: bigint | undefined): Columns | undefined {
  if (columns === undefined || places === undefined || places > 255n) return undefined
  return columns.map((column) => (places < 0n ? column >> -places : (column << places) & MAX_WORD))
}

const negative = (places: bigint | undefined) => (places === undefined ? undefined : -places)

function placeOf(power: bigint | undefined): bigint | undefined {
  return power !== undefined && isPower(power) ? BigInt(power.toString(2).length - 1) : undefined
}
