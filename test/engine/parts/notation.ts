import { deepEqual, equal } from 'node:assert/strict'
import { compute } from '../../../lib/engine/arithmetic.ts'
import { MAX_WORD, type Range } from '../../../lib/engine/ranges.ts'
import { Algebra } from '../../../lib/engine/specialise/algebra.ts'
import {
  constant,
  Effort,
  type Facts,
  pointer,
  type Region,
  type Term,
  Unspecialised,
  type Value,
} from '../../../lib/engine/specialise/value.ts'
import { type Word, word, wrap } from '../../../lib/engine/words.ts'

/** A check of one part of the specialiser. */
export interface PartCase {
  readonly title: string
  /** @throws AssertionError */
  readonly check: () => void
}

/**
 * An expression: opcodes as functions, numbers (`7`, `2^32-1`), variables by their bounds (`a` to `d` 32 bits, `p` to `r` any
 * word, `t` and `u` a bit, `3..9` and another `3..9'`), and addresses (`@m32` of free memory, `@g0` of the arguments).
 */
export type Expression =
  | { readonly kind: 'number'; readonly of: bigint }
  | { readonly kind: 'variable'; readonly name: string; readonly range: Range }
  | { readonly kind: 'address'; readonly region: Region; readonly offset: number }
  | { readonly kind: 'apply'; readonly op: string; readonly operands: readonly Expression[] }

const REGIONS: Readonly<Record<string, Region>> = { m: 'memory', g: 'arguments' }

/** Reads an expression. */
export function read(text: string): Expression {
  const tokens = text.match(/[A-Z][A-Z0-9]*(?=\()|[^\s(),]+|[(),]/g) ?? []
  let at = 0
  const next = (): Expression => {
    const token = tokens[at++]!
    if (tokens[at] !== '(') return atom(token)
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

function atom(token: string): Expression {
  const address = /^@([mg])(-?\d+)$/.exec(token)
  if (address) return { kind: 'address', region: REGIONS[address[1]!]!, offset: Number(address[2]) }
  const bounds = /^([\d^+-]+)\.\.([\d^+-]+)'*$/.exec(token)
  if (bounds) {
    const range = { low: number(bounds[1]!), high: number(bounds[2]!) }
    return { kind: 'variable', name: token, range }
  }
  if (/^\d/.test(token)) return { kind: 'number', of: number(token) }
  const high = /[a-d]/.test(token) ? 2n ** 32n - 1n : /[tu]/.test(token) ? 1n : MAX_WORD
  return { kind: 'variable', name: token, range: { low: 0n, high } }
}

function number(text: string): bigint {
  const [, base, power, more] = /^(\d+)(?:\^(\d+))?([+-]\d+)?$/.exec(text)!
  return BigInt(base!) ** BigInt(power ?? 1) + BigInt(more ?? 0)
}

/** One translation's terms, with the names of its variables. */
export class Notation {
  readonly algebra = new Algebra(new Effort(1_000_000))
  readonly facts: Facts = new Map()
  readonly #variables = new Map<string, Term>()
  readonly #names = new Map<number, string>()

  /** The value of an expression, simplified as it is built. */
  value(expression: Expression | string): Value {
    if (typeof expression === 'string') return this.value(read(expression))
    switch (expression.kind) {
      case 'number':
        return constant(word(expression.of))
      case 'address':
        return pointer(expression.region, expression.offset)
      case 'variable':
        return this.#variable(expression.name, expression.range)
      case 'apply':
        return this.algebra.apply(
          expression.op,
          expression.operands.map((operand) => this.value(operand)),
          this,
        )
    }
  }

  /** The text of a value, as `shown` writes expressions. */
  show(value: Value): string {
    switch (value.kind) {
      case 'constant':
        return String(value.word)
      case 'pointer': {
        const index = value.index === undefined ? '' : `[${this.show(value.index)}]`
        return `@${value.region[0] === 'a' ? 'g' : value.region[0]}${value.offset}${index}`
      }
      case 'partial':
        return `${value.bytes} bytes of ${this.show(value.word)}`
      case 'term': {
        const name = this.#names.get(value.id)
        if (name !== undefined) return name
        const entries = value.entries?.map((entry) => this.show(entry)).join(',')
        const operands = value.operands.map((operand) => this.show(operand)).join(',')
        return `${value.op}(${operands})${entries === undefined ? '' : `[${entries}]`}`
      }
      default:
        return value.kind
    }
  }

  #variable(name: string, range: Range): Term {
    const known = this.#variables.get(name)
    if (known !== undefined) return known
    const term = this.algebra.terms.fresh('VARIABLE', [], range)
    this.#variables.set(name, term)
    this.#names.set(term.id, name)
    return term
  }

  get variables(): ReadonlyMap<string, Term> {
    return this.#variables
  }
}

/** The text of an expression as it stands. */
export function shown(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return String(expression.of)
    case 'variable':
      return expression.name
    case 'address':
      return `@${Object.keys(REGIONS).find((key) => REGIONS[key] === expression.region)}${expression.offset}`
    case 'apply':
      return `${expression.op}(${expression.operands.map(shown).join()})`
  }
}

type Values = ReadonlyMap<string, bigint>

/** What an expression comes to. */
export function evaluate(expression: Expression, values: Values): Word {
  if (expression.kind === 'number') return word(expression.of)
  if (expression.kind === 'variable') return word(values.get(expression.name)!)
  if (expression.kind === 'address') {
    return wrap(values.get(expression.region)! + BigInt(expression.offset))
  }
  return compute(
    expression.op,
    expression.operands.map((operand) => evaluate(operand, values)),
  )
}

/** Values of the variables of expressions, at their edges, in between, and mixed, and places for addresses. */
export function* samples(...expressions: readonly Expression[]): Generator<Values, void> {
  const variables = new Map<string, Range>()
  const visit = (expression: Expression) => {
    if (expression.kind === 'variable') variables.set(expression.name, expression.range)
    if (expression.kind === 'apply') expression.operands.forEach(visit)
  }
  expressions.forEach(visit)
  const names = [...variables.keys()]
  let state = 1
  for (let i = 0; i < 40; i++) {
    yield new Map<string, bigint>([
      ['memory', 0x80n + 32n * BigInt(i * i)],
      ['arguments', 0x64n + 32n * BigInt(i)],
      ...names.map((name) => {
        const { low, high } = variables.get(name)!
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        const edges = [low, high, low + 1n, high - 1n, (low + high) / 2n, low + BigInt(state), 2n ** 31n]
        const wanted = edges[(i < 4 ? i : state >>> 8) % edges.length]!
        return [name, wanted < low ? low : wanted > high ? high : wanted] as const
      }),
    ])
  }
}

/** The expression becomes another, which says the same of all values; `declined` where it is left to others. */
export function becomes(text: string, expected: string): PartCase {
  return {
    title: `${text} becomes ${expected}`,
    check: () => {
      const expression = read(text)
      const notation = new Notation()
      let found: string
      try {
        found = notation.show(notation.value(expression))
      } catch (error) {
        if (!(error instanceof Unspecialised)) throw error
        found = 'declined'
      }
      if (expected === 'declined' || expected.includes('[')) return equal(found, expected)
      const simpler = read(expected)
      equal(found, shown(simpler))
      for (const values of samples(expression, simpler)) {
        deepEqual(
          evaluate(simpler, values),
          evaluate(expression, values),
          JSON.stringify([...values].map(String)),
        )
      }
    },
  }
}
