import { compute } from '../arithmetic.ts'
import { ANY, type Range, rangeAfter } from '../ranges.ts'
import { pointerArithmetic } from './pointers.ts'
import { rewrite } from './rewrite.ts'
import { tabulate } from './tables.ts'
import {
  constant,
  type Effort,
  type Facts,
  MAX_32,
  meet,
  rangeOf,
  type Term,
  Terms,
  Unspecialised,
  type Value,
} from './value.ts'

/** Facts that hold at a point of the execution. */
export interface FactScope {
  readonly facts: Facts
}

/** Input of a step: x, 32 bits, and the frame's word that contains it, whose other bits are unknown. */
export interface Input {
  readonly x: Term
  /** The same as x where the frame has nothing else in it. */
  readonly raw: Term
}

/** Applies opcodes to values: folds constants, simplifies terms, and tracks the bounds of the results. */
export class Algebra {
  readonly terms = new Terms()
  readonly input: Input
  readonly effort: Effort

  /** @param wide Words between steps have more bits than x. */
  constructor(effort: Effort, wide: boolean) {
    this.effort = effort
    const x = this.terms.fresh('X', [], { low: 0n, high: MAX_32 })
    this.input = { x, raw: wide ? this.terms.fresh('RAW', [], ANY) : x }
  }

  /** @throws Unspecialised when the outcome depends on the layout of the call. */
  apply(op: string, operands: readonly Value[], scope: FactScope): Value {
    for (const operand of operands) mustBeUsable(operand)
    const { x, raw } = this.input
    if (x !== raw && operands.includes(raw) && this.#cuts(op, operands)) {
      return this.apply(
        op,
        operands.map((operand) => (operand === raw ? x : operand)),
        scope,
      )
    }
    if (operands.some(({ kind }) => kind === 'partial')) return this.#ofPartial(op, operands, scope)
    const words = operands.flatMap((operand) => (operand.kind === 'constant' ? [operand.word] : []))
    if (words.length === operands.length) return constant(compute(op, words))
    if (operands.some(({ kind }) => kind === 'pointer')) {
      const result = pointerArithmetic(op, operands, scope.facts)
      if (result === undefined) throw new Unspecialised('the layout of the call')
      return result
    }
    const again = (nextOp: string, ...nextOperands: Value[]) => this.apply(nextOp, nextOperands, scope)
    const { facts } = scope
    const simpler = rewrite(op, operands, facts, again)
    if (simpler !== undefined) return simpler
    const table = tabulate(op, operands, facts, this)
    return table === undefined ? this.term(op, operands, scope) : withRange(table, table.range, scope)
  }

  term(op: string, operands: readonly Value[], scope: FactScope): Value {
    const sorted = SYMMETRIC.has(op) ? [...operands].sort(constantsLast) : operands
    const range = rangeAfter(
      op,
      sorted.map((operand) => rangeOf(operand, scope.facts)),
    )
    return withRange(this.terms.make(op, sorted, always(op, sorted)), range, scope)
  }

  /** Whether nothing is left of what lies above 32 bits. */
  #cuts(op: string, operands: readonly Value[]): boolean {
    return operands.some(
      (other) =>
        other.kind === 'constant' &&
        ((op === 'AND' && other.word <= MAX_32) ||
          (op === 'SHL' && other === operands[0] && other.word >= 224)),
    )
  }

  /** Shifts what is not known out of a word of which only the first bytes are. */
  #ofPartial(op: string, operands: readonly Value[], scope: FactScope): Value {
    const [shift, partial] = operands
    if (op === 'SHR' && shift?.kind === 'constant' && partial?.kind === 'partial') {
      if (shift.word >= 256 - 8 * partial.bytes) return this.apply(op, [shift, partial.word], scope)
    }
    throw new Unspecialised('memory that this step did not write')
  }
}

const SYMMETRIC: ReadonlySet<string> = new Set(['ADD', 'MUL', 'AND', 'OR', 'XOR', 'EQ'])

function constantsLast(a: Value, b: Value): number {
  const order = (value: Value) => (value.kind === 'term' ? value.id : Number.MAX_SAFE_INTEGER)
  return order(a) - order(b)
}

/** Records the bounds of a term that was just computed. */
export function withRange(term: Term, computed: Range, { facts }: FactScope): Value {
  const range = meet(computed, facts.get(term.id) ?? term.range)
  if (range.low > range.high) return term
  facts.set(term.id, range)
  return term
}

export function mustBeUsable(value: Value): void {
  if (value.kind === 'wild') throw new Unspecialised('addresses that come together')
  if (value.kind === 'frame') throw new Unspecialised('the layout of the call')
  if (value.kind === 'partial') mustBeUsable(value.word)
}

/** Bounds that hold independent of facts: by constants alone. */
function always(op: string, operands: readonly Value[]): Range {
  return rangeAfter(
    op,
    operands.map((operand) =>
      operand.kind === 'constant' ? rangeOf(operand, NOTHING) : { low: 0n, high: (1n << 256n) - 1n },
    ),
  )
}

const NOTHING: Facts = new Map()
