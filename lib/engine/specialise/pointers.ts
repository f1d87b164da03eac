import { constant, type Facts, type Pointer, pointer, rangeOf, type Value } from './value.ts'

/** No address is as large. */
const HIGHEST = 2 ** 31

/**
 * What arithmetic with addresses comes to wherever they lie: their distances, and comparisons that memory bounds
 * decide. `undefined` when it depends on the place.
 */
export function pointerArithmetic(op: string, operands: readonly Value[], facts: Facts): Value | undefined {
  const [a, b] = operands as readonly [Value, Value]
  switch (op) {
    case 'ADD':
      return a.kind === 'pointer' ? moved(a, b, facts) : b.kind === 'pointer' ? moved(b, a, facts) : undefined
    case 'LT':
      return ordered(a, b, (order) => order < 0)
    case 'GT':
      return ordered(a, b, (order) => order > 0)
    default:
      return undefined
  }
}

function moved(from: Pointer, by: Value, facts: Facts): Value | undefined {
  if (by.kind === 'constant') {
    // Adding 2^256 - n is how code goes back by n.
    const distance = BigInt.asIntN(256, BigInt(by.word))
    const offset = BigInt(from.offset) + distance
    if (offset > BigInt(HIGHEST) || offset < -BigInt(HIGHEST)) return undefined
    return pointer(from.region, Number(offset), from.index)
  }
  if (by.kind !== 'term' || from.index !== undefined) return undefined
  if (rangeOf(by, facts).high > BigInt(HIGHEST)) return undefined
  return pointer(from.region, from.offset, by)
}

function ordered(a: Value, b: Value, holds: (order: number) => boolean): Value | undefined {
  const order = compare(a, b)
  return order === undefined ? undefined : constant(holds(order) ? 1 : 0)
}

function compare(a: Value, b: Value): number | undefined {
  if (a.kind === 'pointer' && b.kind === 'pointer') {
    if (a.region !== b.region || a.index?.id !== b.index?.id) return undefined
    return a.offset - b.offset
  }
  if (a.kind === 'pointer' && b.kind === 'constant') return against(a, b.word)
  if (a.kind === 'constant' && b.kind === 'pointer') {
    const order = against(b, a.word)
    return order === undefined ? undefined : -order
  }
  return undefined
}

/** A place in memory or calldata is above the smallest numbers and far below the largest. */
function against({ offset, index }: Pointer, word: number | bigint): number | undefined {
  if (index !== undefined || offset < 0) return undefined
  if (word <= 0) return 1
  if (word >= 4 * HIGHEST) return -1
  return undefined
}
