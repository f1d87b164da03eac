import { type ClosedForm, TWO_32 } from '../leap/form.ts'
import type { Range } from '../ranges.ts'
import { columnsOf, reach } from './columns.ts'
import type { Node } from './graph.ts'
import { isWhole, type Line, lineOf } from './line.ts'
import { type End, onlyWay } from './only-way.ts'
import { wordOf } from './patterns.ts'
import { type Facts, MAX_32, rangeOf, type Term, type Value } from './value.ts'

/** The closed form of what was explored, where there is one way through, for x within bounds, and it is simple. */
export function closedForm(root: Node, x: Term): ClosedForm | undefined {
  const end = onlyWay(root, x)
  if (end === undefined || rangeOf(end.value, end.facts).high > MAX_32) return undefined
  const line = lineOf(end.value, x)
  return shift(end, line) ?? modular(end, x, line) ?? flips(end, x)
}

function shift({ value, facts, range }: End, line: Line | undefined): ClosedForm | undefined {
  if (line?.factor !== 1n || !isWhole(line, value, range, facts)) return undefined
  return { kind: 'shift', by: Number(line.offset), low: Number(range.low), high: Number(range.high) }
}

function modular({ value, facts, range }: End, x: Term, line: Line | undefined): ClosedForm | undefined {
  const found = line === undefined ? remainder(value, facts, range, x) : lowBits(line, value, facts)
  if (found === undefined) return undefined
  const { factor, offset, modulus } = found
  // What a step gives is a number that the next one takes.
  if (range.low > 0n || range.high < modulus - 1n) return undefined
  return {
    kind: 'modular',
    modulus: Number(modulus),
    factor: Number(positive(factor, modulus)),
    offset: Number(positive(offset, modulus)),
    high: Number(range.high),
  }
}

interface Congruence {
  readonly factor: bigint
  readonly offset: bigint
  readonly modulus: bigint
}

function lowBits({ factor, offset, bits }: Line, value: Value, facts: Facts): Congruence | undefined {
  const modulus = 1n << BigInt(Math.min(bits, 32))
  return rangeOf(value, facts).high < modulus ? { factor, offset, modulus } : undefined
}

function remainder(value: Value, facts: Facts, range: Range, x: Term): Congruence | undefined {
  if (value.kind !== 'term' || value.op !== 'MOD') return undefined
  const [of, by] = value.operands as readonly [Value, Value]
  const modulus = wordOf(by)
  const line = lineOf(of, x)
  if (modulus === undefined || modulus === 0n || modulus > BigInt(TWO_32)) return undefined
  return line && isWhole(line, of, range, facts) ? { ...line, modulus } : undefined
}

function positive(value: bigint, modulus: bigint): bigint {
  return ((value % modulus) + modulus) % modulus
}

function flips({ value, range }: End, x: Term): ClosedForm | undefined {
  if (range.low > 0n || range.high < MAX_32) return undefined
  const columns = columnsOf(value, x)
  if (columns === undefined || reach(columns) > MAX_32) return undefined
  const masks = columns.map(Number)
  return { kind: 'flips', constant: masks.pop()!, masks }
}
