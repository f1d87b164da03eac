import { areNumbers, type BlockText, literal, type Names } from './block-text.ts'
import { lowText } from './low-bits.ts'
import { isNumber, type Value } from './value.ts'

interface Written {
  readonly name: string
  readonly lines: readonly string[]
}

const TWO_32 = 2n ** 32n
const MAX_SAFE = String(Number.MAX_SAFE_INTEGER)
const COMPARISONS = new Set(['LT', 'GT', 'SLT', 'SGT', 'EQ', 'ISZERO'])

/** Lines that put a pure operation's word into a variable. Where numbers do, they leave the exact functions alone. */
export function operationLines(block: BlockText, value: Value, names: Names): Written {
  const operation = value.operation as string
  const operands = value.operands as readonly Value[]
  if (COMPARISONS.has(operation)) {
    const condition = conditionText(block, value)
    return assigned(names, `${condition} ? 1 : 0`)
  }
  const quick = quickText(block, operation, operands)
  if (quick !== undefined) return assigned(names, quick)
  const texts = operands.map(block.text)
  const exact = `${operation.toLowerCase()}(${texts.join(', ')})`

  const attempt = attemptText(operation, operands, texts)
  if (attempt === undefined || operands.some((operand) => typeof operand.constant === 'bigint')) {
    return assigned(names, exact)
  }
  if (attempt.sure || isNumber(value)) {
    const numbers = areNumbers(block, operands)
    return assigned(names, numbers === undefined ? attempt.text : `${numbers} ? ${attempt.text} : ${exact}`)
  }
  const name = names.next()
  const numbers = areNumbers(block, operands)
  const tried = `(${name} = ${attempt.text}) ${attempt.holds}`
  const condition = numbers === undefined ? tried : `${numbers} && ${tried}`
  return { name, lines: [`let ${name}`, `if (!(${condition})) ${name} = ${exact}`] }
}

function assigned(names: Names, text: string): Written {
  const name = names.next()
  return { name, lines: [`const ${name} = ${text}`] }
}

/** How numbers compute it: `sure` if that is right for all of them, else where the result `holds`. */
function attemptText(operation: string, [a, b]: readonly Value[], [left, right]: readonly string[]) {
  switch (operation) {
    case 'ADD':
      return { text: `${left} + ${right}`, holds: `<= ${MAX_SAFE}` }
    case 'MUL':
      return { text: `${left} * ${right}`, holds: `<= ${MAX_SAFE}` }
    case 'SUB':
      // A bound on the result alone does not say that it is not negative before it wraps.
      return { text: `${left} - ${right}`, holds: '>= 0' }
    case 'DIV':
      if (b?.constant !== undefined) return { text: `Math.floor(${left} / ${right})`, sure: true }
      return { text: `(${right} === 0 ? 0 : Math.floor(${left} / ${right}))`, sure: true }
    case 'MOD':
      if (b?.constant !== undefined) return { text: `${left} % ${right}`, sure: true }
      return { text: `(${right} === 0 ? 0 : ${left} % ${right})`, sure: true }
    case 'SHL': {
      const shift = a?.constant
      if (typeof shift !== 'number' || shift > 52) return undefined
      return { text: `${right} * ${2 ** shift}`, holds: `<= ${MAX_SAFE}` }
    }
    case 'SHR': {
      const shift = a?.constant
      if (typeof shift !== 'number') return undefined
      return { text: shift > 52 ? '0' : `Math.floor(${right} / ${2 ** shift})`, sure: true }
    }
    default:
      return undefined
  }
}

/** What is shorter than to ask whether the operands are numbers. */
function quickText(block: BlockText, operation: string, [a, b]: readonly Value[]): string | undefined {
  if (a === undefined || b === undefined) return undefined
  const small = a.high < TWO_32 && b.high < TWO_32
  const { text } = block
  switch (operation) {
    case 'AND': {
      const [mask, masked] = a.constant === undefined ? [b, a] : [a, b]
      if (mask.high < TWO_32) return lowBits(block, mask, masked)
      return mask.constant === undefined ? undefined : maskText(BigInt(mask.constant), masked, text)
    }
    case 'OR':
      return small ? `(${text(a)} | ${text(b)}) >>> 0` : undefined
    case 'XOR':
      return small ? `(${text(a)} ^ ${text(b)}) >>> 0` : undefined
    case 'DIV':
      return small ? quotient(a, b, text) : undefined
    case 'MOD': {
      if (b.constant === undefined || b.high > TWO_32 || (b.high & (b.high - 1n)) !== 0n) return undefined
      return lowBits(block, { high: b.high - 1n, constant: Number(b.high - 1n) }, a)
    }
    case 'SHR':
      if (b.high >= TWO_32) return undefined
      if (a.constant !== undefined) return `${text(b)} >>> ${text(a)}`
      return `${text(a)} < 32 ? ${text(b)} >>> ${isNumber(a) ? text(a) : `Number(${text(a)})`} : 0`
    default:
      return undefined
  }
}

function quotient(a: Value, b: Value, text: (value: Value) => string): string {
  const divisor = b.constant
  if (typeof divisor === 'number' && Number.isInteger(Math.log2(divisor))) {
    return `${text(a)} >>> ${Math.log2(divisor)}`
  }
  // Division by zero comes to infinity or NaN, and both to 0 here.
  return `(${text(a)} / ${text(b)}) >>> 0`
}

/** The word under a mask of 32 bits or fewer. */
function lowBits(block: BlockText, mask: Value, masked: Value): string {
  const low = lowText(block, masked)
  if (mask.constant === 0xffff_ffff) return `${low} >>> 0`
  const text = `${low} & ${lowText(block, mask)}`
  return mask.high < 2n ** 31n ? text : `(${text}) >>> 0`
}

/** Masks that keep or clear all the low bits are nothing or a remainder to numbers. */
function maskText(mask: bigint, masked: Value, text: (value: Value) => string): string | undefined {
  const cleared = 2n ** 256n - mask
  const exact = isNumber(masked) ? '' : ` : and(${text(masked)}, ${literal(mask)})`
  const test = isNumber(masked) ? '' : `typeof ${text(masked)} === 'number' ? `
  if ((mask & (mask + 1n)) === 0n && mask > BigInt(Number.MAX_SAFE_INTEGER))
    return `${test}${text(masked)}${exact}`
  if ((cleared & (cleared - 1n)) === 0n && cleared <= TWO_32) {
    return `${test}${text(masked)} - ${text(masked)} % ${cleared}${exact}`
  }
  return undefined
}

/**
 * An expression that is true where the word is not zero, in brackets where it needs them.
 *
 * @param depth of `or` and `and` around it: beyond a few, words are computed once, as they may occur many times.
 */
export function conditionText(block: BlockText, value: Value, depth = 0): string {
  const { text } = block
  const [a, b] = (value.operands ?? []) as [Value, Value]
  if (value.same !== undefined) return conditionText(block, value.same, depth)
  if (block.isNamed(value) || value.constant !== undefined) return `(${text(value)} !== 0)`
  const joins = depth < 3 && a.high <= 1n && b?.high <= 1n
  const both = (sign: string) =>
    `(${conditionText(block, a, depth + 1)} ${sign} ${conditionText(block, b, depth + 1)})`
  switch (value.operation) {
    case 'ISZERO':
      return block.isNamed(a) || depth > 8 ? `(${text(a)} === 0)` : `(!${conditionText(block, a, depth + 1)})`
    case 'EQ':
      return `(${text(a)} === ${text(b)})`
    // How compilers ask whether two words differ.
    case 'SUB':
    case 'XOR':
      return `(${text(a)} !== ${text(b)})`
    case 'LT':
      return lessText(block, a, b, 'lt')
    case 'GT':
      return lessText(block, b, a, 'lt')
    case 'SLT':
      return lessText(block, a, b, 'slt')
    case 'SGT':
      return lessText(block, b, a, 'slt')
    case 'OR':
      return joins ? both('||') : `(${text(value)} !== 0)`
    case 'AND':
      return joins ? both('&&') : `(${text(value)} !== 0)`
    default:
      return `(${text(value)} !== 0)`
  }
}

function lessText({ text, ...block }: BlockText, a: Value, b: Value, exact: 'lt' | 'slt'): string {
  const left = text(a)
  const right = text(b)
  if (exact === 'lt' && typeof b.constant === 'bigint')
    return `(typeof ${left} === 'number' || ${left} < ${right})`
  if (exact === 'lt' && typeof a.constant === 'bigint')
    return `(typeof ${right} !== 'number' && ${left} < ${right})`
  const numbers = areNumbers({ text, ...block }, [a, b])
  if (numbers === undefined) return `(${left} < ${right})`
  return `(${numbers} ? ${left} < ${right} : ${exact}(${left}, ${right}) === 1)`
}
