import { compute } from '#lib/engine/arithmetic.ts'
import type { Range } from '#lib/engine/ranges.ts'
import { Algebra } from '#lib/engine/specialise/algebra.ts'
import {
  constant,
  Effort,
  type Facts,
  pointer,
  type Region,
  type Term,
  type Value,
} from '#lib/engine/specialise/value.ts'
import { type Word, word, wrap } from '#lib/engine/words.ts'

/** Opcodes as functions of numbers, of variables and of addresses. */
export type Expression =
  | { readonly kind: 'number'; readonly of: bigint }
  | { readonly kind: 'variable'; readonly name: string; readonly range: Range }
  | { readonly kind: 'address'; readonly region: Region; readonly offset: number }
  | { readonly kind: 'apply'; readonly op: string; readonly operands: readonly Expression[] }

/** The values of variables by their names, and where each region begins. */
export type Values = ReadonlyMap<string, bigint>

/** Reads an expression like `ADD(v, 7)`, whose names stand for what `atoms` has. */
export function read(text: string, atoms: Readonly<Record<string, Expression>>): Expression {
  const tokens = text.match(/\w+|[(),]/g) ?? []
  let at = 0
  const next = (): Expression => {
    const token = tokens[at++]!
    if (tokens[at] !== '(') return atoms[token] ?? { kind: 'number', of: BigInt(token) }
    const operands: Expression[] = []
    do {
      at++
      operands.push(next())
    } while (tokens[at] === ',')
    at++
    return { kind: 'apply', op: token, operands }
  }
  return next()
}

/** Expressions as one translation has them, simplified as they are built. */
export class Translation {
  readonly algebra = new Algebra(new Effort(1_000_000), false)
  readonly facts: Facts = new Map()
  readonly variables = new Map<string, Term>()

  /** @throws Unspecialised */
  value(expression: Expression): Value {
    switch (expression.kind) {
      case 'number':
        return constant(word(expression.of))
      case 'address':
        return pointer(expression.region, expression.offset)
      case 'variable':
        return this.variable(expression.name, expression.range)
      case 'apply':
        return this.algebra.apply(
          expression.op,
          expression.operands.map((operand) => this.value(operand)),
          this,
        )
    }
  }

  variable(name: string, range: Range): Term {
    const term = this.variables.get(name) ?? this.algebra.terms.fresh('VARIABLE', [], range)
    this.variables.set(name, term)
    return term
  }
}

/** Value of an expression, opcode by opcode. */
export function evaluate(expression: Expression, values: Values): Word {
  switch (expression.kind) {
    case 'number':
      return word(expression.of)
    case 'variable':
      return word(values.get(expression.name)!)
    case 'address':
      return wrap(values.get(expression.region)! + BigInt(expression.offset))
    case 'apply':
      return compute(
        expression.op,
        expression.operands.map((operand) => evaluate(operand, values)),
      )
  }
}
