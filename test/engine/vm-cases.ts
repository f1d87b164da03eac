import { OPCODES } from '#lib/protocol/opcodes.ts'

/*
 * The opcodes that are translated, each with the operands at which implementations differ: what the official tests of the
 * virtual machine cover, which no package carries. Results come from the EVM that runs the same code, not from here.
 */

/** Code to call with calldata. */
export interface VmCase {
  readonly title: string
  /** Hexadecimal digits, as is `calldata`. */
  readonly code: string
  readonly calldata: string
}

const ONES = (1n << 256n) - 1n
const SIGN = 1n << 255n
/** Around zero, the sizes of bytes and words, what a double holds exactly, 2^32, and the sign. */
const EDGES: readonly bigint[] = [
  ...[0n, 1n, 2n, 3n, 7n, 31n, 32n, 33n, 127n, 128n, 255n, 256n, 257n],
  ...[0x7fff_ffffn, 0x8000_0000n, 0xffff_ffffn, 1n << 32n, (1n << 53n) - 1n, 1n << 53n, (1n << 53n) + 1n],
  ...[1n << 64n, (1n << 128n) - 1n, 1n << 128n, SIGN - 1n, SIGN, SIGN + 1n, ONES - 255n, ONES - 1n, ONES],
]
/** Opcodes of three operands, and costly ones. */
const FEW: readonly bigint[] = [
  0n,
  1n,
  2n,
  5n,
  255n,
  256n,
  (1n << 53n) - 1n,
  1n << 53n,
  SIGN,
  SIGN - 1n,
  ONES,
]

const BYTES = new Map(OPCODES.flatMap((opcode, byte) => (opcode ? [[opcode.name, byte] as const] : [])))

/** Hexadecimal digits of a program: names of opcodes, numbers (pushed), and `0x…` for bytes as they are. */
function code(...parts: readonly (string | number | bigint)[]): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') {
        return part.startsWith('0x')
          ? part.slice(2)
          : part
              .split(' ')
              .map((name) => hex(BYTES.get(name) ?? 0xfe))
              .join('')
      }
      const digits = part.toString(16)
      const even = digits.length % 2 === 0 ? digits : `0${digits}`
      return part === 0 || part === 0n ? '5f' : hex(0x5f + even.length / 2) + even
    })
    .join('')
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}

const TUPLES: readonly (readonly [names: string, operands: readonly (readonly bigint[])[]])[] = [
  ['NOT ISZERO', EDGES.map((a) => [a])],
  [
    'ADD MUL SUB DIV SDIV MOD SMOD SIGNEXTEND LT GT SLT SGT EQ AND OR XOR BYTE SHL SHR SAR',
    EDGES.flatMap((a) => EDGES.map((b) => [a, b])),
  ],
  ['EXP', FEW.flatMap((a) => [...FEW, 3n, 31n, 64n].map((b) => [a, b]))],
  ['ADDMOD MULMOD', FEW.flatMap((a) => FEW.flatMap((b) => FEW.map((c) => [a, b, c])))],
]

/** Results of so many tuples are returned by one call: code has a largest size. */
const TOGETHER = 250

/** Each opcode on all its operands, from calldata and as constants. */
function computing(): VmCase[] {
  return TUPLES.flatMap(([names, all]) =>
    names.split(' ').flatMap((name) =>
      pieces(all).flatMap((tuples, piece) => {
        const back = code(32 * tuples.length, 0, 'RETURN')
        const taken = tuples.map((tuple, i) => {
          const at = 32 * tuple.length * i
          const loads = tuple.map((_, k) => code(at + 32 * (tuple.length - 1 - k), 'CALLDATALOAD')).join('')
          return loads + code(name, 32 * i, 'MSTORE')
        })
        const fixed = tuples.map((tuple, i) => code(...tuple.toReversed(), name, 32 * i, 'MSTORE'))
        const calldata = tuples.flat().map(word).join('')
        const title = `${name}, piece ${piece + 1}`
        return [
          { title: `${title} of calldata`, code: taken.join('') + back, calldata },
          { title: `${title} of constants`, code: fixed.join('') + back, calldata: '' },
        ]
      }),
    ),
  )
}

function pieces<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / TOGETHER) }, (_, i) =>
    all.slice(TOGETHER * i, TOGETHER * (i + 1)),
  )
}

/** Calldata whose bytes all differ. */
const DATA = Array.from({ length: 200 }, (_, i) => hex((i * 37 + 11) & 0xff)).join('')
const ALL = code('MSIZE', 0, 'RETURN')
const TOP = code(0, 'MSTORE', 32, 0, 'RETURN')
const FILL = code(200, 0, 0, 'CALLDATACOPY')
const SIZES = [0, 1, 31, 32, 33, 64, 135, 136, 137, 200]

function memory(): VmCase[] {
  const cases: [string, string][] = [
    ...SIZES.flatMap((at): [string, string][] => [
      [`MLOAD at ${at}`, FILL + code(at, 'MLOAD') + TOP],
      [`MSTORE at ${at}`, FILL + code(ONES - 5n, at, 'MSTORE') + ALL],
      [`MSTORE8 at ${at}`, FILL + code(ONES - 0x1234n, at, 'MSTORE8') + ALL],
      [`MSIZE after a load at ${at}`, code(at, 'MLOAD POP MSIZE') + TOP],
      [`KECCAK256 of ${at} bytes`, FILL + code(at, 3, 'KECCAK256') + TOP],
      [`CALLDATALOAD at ${at}`, code(at, 'CALLDATALOAD') + TOP],
      [`CALLDATACOPY of ${at} bytes`, code(ONES, 0, 'MSTORE', at, 150, 7, 'CALLDATACOPY') + ALL],
      [`CODECOPY of ${at} bytes`, code(ONES, 0, 'MSTORE', at, 3, 9, 'CODECOPY') + ALL],
      [`RETURN of ${at} bytes`, FILL + code(at, 190, 'RETURN')],
      [`REVERT with ${at} bytes`, FILL + code(at, 1, 'REVERT')],
      [`MCOPY of ${at} bytes upwards`, FILL + code(at, 3, 10, 'MCOPY') + ALL],
      [`MCOPY of ${at} bytes downwards`, FILL + code(at, 10, 3, 'MCOPY') + ALL],
      [`MCOPY of ${at} bytes from beyond`, FILL + code(at, 250, 3, 'MCOPY') + ALL],
    ]),
    // What lies below is left alone.
    ['MSTORE leaves nothing', code(77, 1, 2, 'MSTORE') + TOP],
    ['MSTORE8 leaves nothing', code(77, 1, 2, 'MSTORE8') + TOP],
    ...['MCOPY', 'CALLDATACOPY', 'CODECOPY'].map((name): [string, string] => [
      `${name} leaves nothing`,
      code(77, 1, 2, 3, name) + TOP,
    ]),
    ['RETURNDATACOPY leaves nothing', code(77, 0, 0, 3, 'RETURNDATACOPY') + TOP],
    ['CALLDATALOAD far beyond', code(ONES, 'CALLDATALOAD') + TOP],
    ['CALLDATACOPY from far beyond', FILL + code(40, ONES, 5, 'CALLDATACOPY') + ALL],
    ['CODECOPY from far beyond', FILL + code(40, 1n << 64n, 5, 'CODECOPY') + ALL],
    ['copies of nothing far away', code(0, 0, ONES, 'CALLDATACOPY', 0, ONES, ONES, 'MCOPY MSIZE') + TOP],
    ['RETURN of nothing far away', code(0, ONES, 'RETURN')],
    ['REVERT with nothing far away', code(0, ONES, 'REVERT')],
    ['KECCAK256 of nothing far away', code(0, ONES, 'KECCAK256') + TOP],
    ['memory that grows by a word', code(1, 0x1fff, 'MSTORE8 MSIZE') + TOP],
    ['sizes and values', code('CALLDATASIZE CODESIZE ADD RETURNDATASIZE ADD CALLVALUE ADD PC ADD') + TOP],
    ['RETURNDATACOPY of nothing', code(0, 0, 9, 'RETURNDATACOPY MSIZE') + TOP],
  ]
  return cases.map(([title, text]) => ({ title, code: text, calldata: DATA }))
}

const DONE = code('JUMPDEST', 1) + TOP

/** Jumps to the end of `before`, whose own jumps know their places. */
function control(): VmCase[] {
  const deep = (count: number) => '5f'.repeat(count)
  const cases: [string, string][] = [
    ['JUMP', code(4, 'JUMP', '0xfe') + DONE],
    ['JUMP to a JUMPDEST inside of a push', code(4, 'JUMP', '0x615b5b') + DONE],
    ['JUMP beyond the code', code(0xffff, 'JUMP') + DONE],
    ['JUMP far beyond', code(ONES, 'JUMP') + DONE],
    ['JUMP to another instruction', code(3, 'JUMP STOP') + DONE],
    ['JUMPI on one', code(1, 6, 'JUMPI', '0xfefe').slice(0, -2) + DONE],
    ['JUMPI on nothing', code(0, 9, 'JUMPI', 7) + TOP + DONE],
    ['JUMPI on the highest bit', code(SIGN, 0x25, 'JUMPI', '0xfe') + DONE],
    ['JUMPI on nothing to nowhere', code(0, 0xffff, 'JUMPI') + DONE],
    ['a computed JUMP', code(0, 'CALLDATALOAD', 0xff, 'AND', 6, 'ADD JUMP', '0xfe') + DONE + DONE],
    ['a loop', code(0, 'JUMPDEST', 1, 'ADD DUP1', 100, 'GT', 1, 'JUMPI') + TOP],
    ['a push that the code ends in', `${code(5, 0, 'MSTORE', 32, 0)}7f`],
    ['a stack of 1024', deep(1023) + code(7) + code(0, 'MSTORE').slice(2) + code('STOP')],
    ['a full stack', `${deep(1022)}${code('CALLDATASIZE')}52${code(32, 0, 'RETURN')}`],
    ['a stack of 1025', deep(1025)],
    ['DUP1 on a full stack', `${deep(1024)}80`],
    ['an empty stack', code('ADD')],
    ['DUP16 of fifteen', `${deep(15)}8f`],
    ['SWAP16 of sixteen', `${deep(16)}9f`],
    ['the end of the code', code(1)],
    ['STOP', code('STOP', 1) + TOP],
    ['INVALID', code('INVALID')],
    ['an undefined byte', '0c'],
    ...Array.from({ length: 16 }, (_, i): [string, string] => [
      `DUP${i + 1} and SWAP${i + 1}`,
      Array.from({ length: 17 }, (_value, k) => code(k + 1)).join('') +
        hex(0x90 + i) +
        hex(0x80 + i) +
        Array.from({ length: 18 }, (_value, k) => code(32 * k, 'MSTORE')).join('') +
        ALL,
    ]),
    ...Array.from({ length: 33 }, (_, i): [string, string] => [
      `PUSH${i}`,
      hex(0x5f + i) + Array.from({ length: i }, (_value, k) => hex(255 - k)).join('') + TOP,
    ]),
  ]
  return cases.map(([title, text]) => ({ title, code: text, calldata: word(4n) }))
}

/** All cases, always the same. */
export function vmCases(): VmCase[] {
  return [...computing(), ...memory(), ...control()]
}
