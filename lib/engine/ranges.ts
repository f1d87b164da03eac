/** Bounds of a word, both included. */
export interface Range {
  readonly low: bigint
  readonly high: bigint
}

export const TWO_256 = 1n << 256n
export const MAX_WORD = TWO_256 - 1n
export const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)
export const ANY: Range = { low: 0n, high: MAX_WORD }
const BIT: Range = { low: 0n, high: 1n }

/** Bounds of the result of an opcode, by the bounds of its operands; `ANY` where nothing is known. */
export function rangeAfter(op: string, operands: readonly Range[]): Range {
  const [a, b, c] = operands as readonly [Range, Range, Range]
  switch (op) {
    case 'ADD':
      return within(a.low + b.low, a.high + b.high)
    case 'SUB':
      return a.low >= b.high ? { low: a.low - b.high, high: a.high - b.low } : ANY
    case 'MUL':
      return within(a.low * b.low, a.high * b.high)
    case 'DIV':
      return { low: b.low > 0n ? a.low / b.high : 0n, high: b.low > 0n ? a.high / b.low : a.high }
    case 'MOD':
      return { low: 0n, high: least(a.high, b.high > 0n ? b.high - 1n : 0n) }
    case 'ADDMOD':
    case 'MULMOD':
      return { low: 0n, high: c.high > 0n ? c.high - 1n : 0n }
    case 'EXP':
      // Nothing to the power of nothing is one.
      return bits(a.high) * b.high <= 512n
        ? within(a.low === 0n ? 0n : a.low ** b.low, most(1n, a.high ** b.high))
        : ANY
    case 'LT':
    case 'GT':
    case 'SLT':
    case 'SGT':
    case 'EQ':
    case 'ISZERO':
      return BIT
    case 'AND':
      return { low: 0n, high: least(a.high, b.high) }
    case 'OR':
      return { low: most(a.low, b.low), high: filled(a.high | b.high) }
    case 'XOR':
      return { low: 0n, high: filled(a.high | b.high) }
    case 'NOT':
      return { low: MAX_WORD - a.high, high: MAX_WORD - a.low }
    case 'BYTE':
      return { low: 0n, high: 255n }
    case 'SHL':
      return a.high < 256n ? within(b.low << a.low, b.high << a.high) : ANY
    case 'SHR':
      return { low: a.high < 256n ? b.low >> a.high : 0n, high: a.low < 256n ? b.high >> a.low : 0n }
    default:
      return ANY
  }
}

function within(low: bigint, high: bigint): Range {
  return high < TWO_256 ? { low, high } : ANY
}

export function bits(value: bigint): bigint {
  return BigInt(value.toString(2).length)
}

/** The number with a one in each place up to the highest of `value`. */
function filled(value: bigint): bigint {
  return value === 0n ? 0n : (1n << bits(value)) - 1n
}

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

export function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
