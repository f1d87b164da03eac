import { fold } from './fold.ts'
import { pointerArithmetic } from './pointers.ts'
import { rangeAfter } from './ranges.ts'
import { rewrite } from './rewrite.ts'
import { tabulate } from './tables.ts'
import {
  constant,
  type Facts,
  meet,
  type Range,
  rangeOf,
  type Term,
  Terms,
  Unspecialised,
  type Value,
} from './value.ts'

/** What is known at a point of the execution. */
export interface Known {
  readonly facts: Facts
  /** Ids of the terms that may be used; absent where all may. */
  readonly usable: Set<number> | undefined
}

/** Applies opcodes to values: to constants at once, to terms by simplification, and keeps the bounds of what comes out. */
export class Algebra {
  readonly terms = new Terms()

  /** @throws Unspecialised when the outcome depends on the layout of the call. */
  apply(op: string, operands: readonly Value[], known: Known): Value {
    for (const operand of operands) mustBeUsable(operand, known)
    const words = operands.flatMap((operand) => (operand.kind === 'constant' ? [operand.word] : []))
    if (words.length === operands.length) return constant(fold(op, words))
    if (operands.some(({ kind }) => kind === 'pointer')) {
      const result = pointerArithmetic(op, operands, known.facts)
      if (result === undefined) throw new Unspecialised('the layout of the call')
      return result
    }
    const again = (nextOp: string, ...nextOperands: Value[]) => this.apply(nextOp, nextOperands, known)
    const { facts } = known
    const simpler = rewrite(op, operands, facts, again)
    if (simpler !== undefined) return simpler
    const table = tabulate(op, operands, facts, this.terms)
    return table === undefined ? this.term(op, operands, known) : settle(table, table.range, known)
  }

  term(op: string, operands: readonly Value[], known: Known, range?: Range): Value {
    const { facts } = known
    const computed =
      range ??
      rangeAfter(
        op,
        operands.map((operand) => rangeOf(operand, facts)),
      )
    const term = this.terms.make(op, operands, always(op, operands))
    return settle(term, computed, known)
  }
}

/** Notes the bounds of a term that was just computed. */
export function settle(term: Term, computed: Range, { facts, usable }: Known): Value {
  const range = meet(computed, facts.get(term.id) ?? term.range)
  usable?.add(term.id)
  if (range.low > range.high) return term
  facts.set(term.id, range)
  return term
}

export function mustBeUsable(value: Value, { usable }: Known): void {
  if (value.kind === 'wild') throw new Unspecialised('addresses that come together')
  const term = value.kind === 'pointer' ? value.index : value
  if (usable === undefined || term?.kind !== 'term' || usable.has(term.id)) return
  throw new Unspecialised('something remembered from the step before')
}

/** Bounds that hold whatever is known: those that constants alone give. */
function always(op: string, operands: readonly Value[]): Range {
  return rangeAfter(
    op,
    operands.map((operand) =>
      operand.kind === 'constant' ? rangeOf(operand, NOTHING) : { low: 0n, high: (1n << 256n) - 1n },
    ),
  )
}

const NOTHING: Facts = new Map()
