import type { BlockText } from './block-text.ts'
import { isNumber, type Value } from './value.ts'

/**
 * An expression that agrees with the word in its low 32 bits, as operand of a bitwise operator: sums, products and
 * the like need no more than the low bits of their operands, so that masked ones stay clear of BigInt.
 */
export function lowText(block: BlockText, value: Value): string {
  if (value.same !== undefined) return lowText(block, value.same)
  if (value.constant !== undefined) return String(Number(BigInt.asIntN(32, BigInt(value.constant))))
  if (isNumber(value)) return block.text(value)
  if (block.isNamed(value) || !isLow(value)) return anyText(block, value)
  return block.low(value, () => computeLow(block, value))
}

/** Whether the low bits of the result depend on no others of the operands. */
function isLow({ operation, operands }: Value): boolean {
  const shift = operands?.[0]?.constant
  return operation === 'SHL' ? typeof shift === 'number' && shift < 32 : LOW.has(operation ?? '')
}

const LOW = new Set(['ADD', 'SUB', 'MUL', 'NOT', 'AND', 'OR', 'XOR'])

function computeLow(block: BlockText, value: Value): string {
  const [a, b] = value.operands as [Value, Value]
  const left = lowText(block, a)
  if (value.operation === 'NOT') return `~${left}`
  const right = lowText(block, b)
  switch (value.operation) {
    case 'ADD':
      return `(${left} | 0) + (${right} | 0) | 0`
    case 'SUB':
      return `(${left} | 0) - (${right} | 0) | 0`
    case 'MUL':
      return `Math.imul(${left}, ${right})`
    case 'AND':
      return `${left} & ${right}`
    case 'OR':
      return `${left} | ${right}`
    case 'XOR':
      return `${left} ^ ${right}`
    default:
      return `${right} << ${left}`
  }
}

function anyText(block: BlockText, value: Value): string {
  const text = block.text(value)
  return isNumber(value) ? text : `(typeof ${text} === 'number' ? ${text} : and(${text}, 0xffffffff))`
}
