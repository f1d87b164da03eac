import { isNumber, type Value } from './value.ts'
import type { BlockText } from './write-block.ts'

/**
 * An expression that agrees with the word in its low 32 bits, as operand of a bitwise operator: sums, products and
 * the like need no more than the low bits of their operands, so that masked ones stay clear of BigInt.
 */
export function lowText(block: BlockText, value: Value): string {
  if (value.constant !== undefined) return String(Number(BigInt.asUintN(32, BigInt(value.constant))))
  if (isNumber(value)) return block.text(value)
  if (block.isNamed(value)) return anyText(block, value)
  const [a, b] = value.operands as [Value, Value]
  const low = (operand: Value) => `(${lowText(block, operand)} | 0)`
  switch (value.operation) {
    case 'ADD':
      return `(${low(a)} + ${low(b)})`
    case 'SUB':
      return `(${low(a)} - ${low(b)})`
    case 'MUL':
      return `Math.imul(${lowText(block, a)}, ${lowText(block, b)})`
    case 'NOT':
      return `(~${lowText(block, a)})`
    case 'AND':
      return `(${lowText(block, a)} & ${lowText(block, b)})`
    case 'OR':
      return `(${lowText(block, a)} | ${lowText(block, b)})`
    case 'XOR':
      return `(${lowText(block, a)} ^ ${lowText(block, b)})`
    case 'SHL':
      return typeof a.constant === 'number' && a.constant < 32
        ? `(${lowText(block, b)} << ${a.constant})`
        : anyText(block, value)
    default:
      return anyText(block, value)
  }
}

function anyText(block: BlockText, value: Value): string {
  const text = block.text(value)
  return isNumber(value) ? text : `(typeof ${text} === 'number' ? ${text} : and(${text}, 0xffffffff))`
}
