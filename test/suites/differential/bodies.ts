import { encodeErrorResult, parseAbi } from 'viem'
import type { Hex } from '#lib/protocol/entity.ts'

/** A run ended by revert, with the bytes the chain would return. */
export class Reverted extends Error {
  override readonly name = 'Reverted'
  readonly revertData: Hex

  constructor(revertData: Hex) {
    super(revertData)
    this.revertData = revertData
  }
}

const MAX_UINT32 = 0xffff_ffff
const errorAbi = parseAbi(['error Panic(uint256)', 'error Error(string)'])

export function panic(code: number) {
  return new Reverted(encodeErrorResult({ abi: errorAbi, errorName: 'Panic', args: [BigInt(code)] }))
}

function errorText(text: string) {
  return new Reverted(encodeErrorResult({ abi: errorAbi, errorName: 'Error', args: [text] }))
}

/** A Solidity body and the same function in JavaScript: the second opinion of the differential test. */
export interface ModelBody<Input extends unknown[], Output> {
  readonly name: string
  readonly body: string
  readonly argsCount: number
  readonly model: (...input: Input) => Output
}

function checked(value: number): number {
  if (value < 0 || value > MAX_UINT32) throw panic(0x11)
  return value
}
function wrap(value: bigint): number {
  return Number(BigInt.asUintN(32, value))
}

export const TRANSFORMATIONS: readonly ModelBody<[number, readonly number[]], number>[] = [
  { name: 'add', argsCount: 1, body: 'return x + args[0];', model: (x, [a]) => checked(x + a!) },
  { name: 'sub', argsCount: 1, body: 'return x - args[0];', model: (x, [a]) => checked(x - a!) },
  { name: 'same', argsCount: 0, body: 'return x;', model: (x) => x },
  { name: 'fixed_point', argsCount: 1, body: 'return args[0];', model: (_, [a]) => a! },
  {
    name: 'wheel',
    argsCount: 2,
    body: 'return (x + args[0]) % args[1];',
    model: (x, [a, m]) => {
      const sum = checked(x + a!)
      if (m === 0) throw panic(0x12)
      return sum % m!
    },
  },
  {
    name: 'double_up',
    argsCount: 0,
    body: 'unchecked { return x * 2 + 1; }',
    model: (x) => wrap(BigInt(x) * 2n + 1n),
  },
  {
    name: 'scatter',
    argsCount: 1,
    body: 'unchecked { x ^= x << 13; x ^= x >> 17; x ^= x << 5; return (x + args[0]) % 97; }',
    model: (x, [a]) => {
      let v = BigInt(x)
      v ^= BigInt.asUintN(32, v << 13n)
      v ^= v >> 17n
      v ^= BigInt.asUintN(32, v << 5n)
      return wrap(v + BigInt(a!)) % 97
    },
  },
  {
    name: 'mix',
    argsCount: 0,
    body: 'x ^= x << 13; x ^= x >> 17; x ^= x << 5; return x;',
    model: (x) => {
      let v = x
      v ^= v << 13
      v ^= v >>> 17
      v ^= v << 5
      return v >>> 0
    },
  },
  {
    name: 'bounce',
    argsCount: 1,
    body: 'if (x >= args[0]) return 0; return x + 1;',
    model: (x, [a]) => (x >= a! ? 0 : x + 1),
  },
  {
    name: 'guarded',
    argsCount: 1,
    body: 'require(x < args[0], "too far"); return x + 1;',
    model: (x, [a]) => {
      if (x >= a!) throw errorText('too far')
      return x + 1
    },
  },
  {
    name: 'silent_stop',
    argsCount: 1,
    body: 'if (x == args[0]) revert(); return x + 3;',
    model: (x, [a]) => {
      if (x === a) throw new Reverted('0x')
      return checked(x + 3)
    },
  },
]

export const CONDITIONS: readonly ModelBody<[readonly number[]], boolean>[] = [
  { name: 'always', argsCount: 0, body: 'return true;', model: () => true },
  { name: 'at_least', argsCount: 2, body: 'return args[0] >= args[1];', model: ([a, b]) => a! >= b! },
  {
    name: 'divides',
    argsCount: 2,
    body: 'return args[0] % args[1] == 0;',
    model: ([a, b]) => {
      if (b === 0) throw panic(0x12)
      return a! % b! === 0
    },
  },
]
