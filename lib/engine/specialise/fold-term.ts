import type { Term, Value } from './value.ts'

/** Values nest as deep as a stranger likes. */
const DEEPEST = 64

/** What is known of the ends of a value, and how it goes on from operands to what is made of them. */
export interface Folding<Found> {
  readonly ofX: Found
  readonly ofConstant: (word: bigint) => Found
  readonly ofOperation: (term: Term, find: (operand: Value) => Found | undefined) => Found | undefined
}

/**
 * Finds out something of how a value depends on x, from its operands up; each term is looked at once, however often
 * it stands in the value.
 *
 * @returns Undefined when it cannot be told, also of a value that nests too deep.
 */
export function foldTerm<Found>(
  value: Value,
  x: Term,
  { ofX, ofConstant, ofOperation }: Folding<Found>,
): Found | undefined {
  const known = new Map<Term, Found | undefined>()
  const find = (one: Value, depth: number): Found | undefined => {
    if (one.kind === 'constant') return ofConstant(BigInt(one.word))
    if (one.kind !== 'term' || depth > DEEPEST) return undefined
    if (one === x) return ofX
    if (!known.has(one))
      known.set(
        one,
        ofOperation(one, (operand) => find(operand, depth + 1)),
      )
    return known.get(one)
  }
  return find(value, 0)
}
