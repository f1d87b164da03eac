import { MAX_SAFE } from '../ranges.ts'
import type { Scope } from './scope.ts'
import { MAX_32, rangeOf, type Term, type Value } from './value.ts'

const DEEPEST = 6

/** The text of `term`, an AND of something with a constant of 32 bits; `undefined` where that does not help. */
export function low32(term: Term, scope: Scope): string | undefined {
  const [a, b] = term.operands as readonly [Value, Value]
  const [value, mask] = a.kind === 'constant' ? [b, a] : [a, b]
  if (mask.kind !== 'constant' || mask.word > MAX_32) return undefined
  const low = lowBits(value, scope, 0)
  if (low === undefined) return undefined
  const word = Number(mask.word)
  if (word === Number(MAX_32)) return `${low}>>>0`
  return word < 2 ** 31 ? `${low}&${word}` : `(${low}&${word})>>>0`
}

/**
 * The text of a number congruent to `value` modulo 2^32, which bitwise operators may go on with: of sums, products
 * and the like it takes the low 32 bits of the operands, however large these are.
 */
function lowBits(value: Value, scope: Scope, depth: number): string | undefined {
  if (value.kind === 'constant') return `${Number(BigInt.asIntN(32, BigInt(value.word)))}`
  if (value.kind !== 'term') return undefined
  if (scope.isReady(value) || value.op === 'VARIABLE') {
    return rangeOf(value, scope.facts).high <= MAX_SAFE ? `(${scope.value(value)})` : undefined
  }
  const { high } = rangeOf(value, scope.facts)
  if (high <= MAX_32 || (high <= MAX_SAFE && depth > 1)) return safely(value, scope)
  return (depth < DEEPEST ? ofOperands(value, scope, depth + 1) : undefined) ?? safely(value, scope)
}

function safely(value: Value, scope: Scope): string | undefined {
  return rangeOf(value, scope.facts).high <= MAX_SAFE ? `(${scope.value(value)})` : undefined
}

function ofOperands({ op, operands }: Term, scope: Scope, depth: number): string | undefined {
  const [a, b] = operands as readonly [Value, Value]
  const low = (operand: Value) => lowBits(operand, scope, depth)
  const joined = (text: (left: string, right: string) => string) => {
    const [left, right] = [low(a), low(b)]
    return left === undefined || right === undefined ? undefined : text(left, right)
  }
  switch (op) {
    case 'ADD':
      return joined((left, right) => `((${left}|0)+(${right}|0)|0)`)
    case 'SUB':
      return joined((left, right) => `((${left}|0)-(${right}|0)|0)`)
    case 'MUL':
      return joined((left, right) => `Math.imul(${left},${right})`)
    case 'AND':
      return joined((left, right) => `(${left}&${right})`)
    case 'OR':
      return joined((left, right) => `(${left}|${right})`)
    case 'XOR':
      return joined((left, right) => `(${left}^${right})`)
    case 'NOT': {
      const operand = low(a)
      return operand === undefined ? undefined : `(~${operand})`
    }
    case 'SHL': {
      const operand = low(b)
      if (a.kind !== 'constant' || operand === undefined) return undefined
      return a.word > 31 ? '0' : `(${operand}<<${a.word})`
    }
    default:
      return undefined
  }
}
