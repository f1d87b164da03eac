import type { Address, Hex } from '#lib/protocol/entity.ts'

/** Mnemonics from an opcode on. Not the engine's table: what it leaves out is what is wanted here. */
const ROWS: readonly (readonly [first: number, names: string])[] = [
  [0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'],
  [0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR'],
  [0x20, 'KECCAK256'],
  [0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY'],
  [0x3a, 'GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH BLOCKHASH COINBASE'],
  [0x42, 'TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE'],
  [0x50, 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY'],
  [0x80, Array.from({ length: 16 }, (_, i) => `DUP${i + 1}`).join(' ')],
  [0x90, Array.from({ length: 16 }, (_, i) => `SWAP${i + 1}`).join(' ')],
  [0xa0, 'LOG0 LOG1 LOG2 LOG3 LOG4'],
  [0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'],
  [0xfa, 'STATICCALL'],
  [0xfd, 'REVERT INVALID SELFDESTRUCT'],
]
const BYTES = new Map(
  ROWS.flatMap(([first, names]) => names.split(' ').map((name, i) => [name, first + i] as const)),
)

/**
 * Assembles EVM code: mnemonics, `0x…` or decimal literals (pushed with the shortest PUSH), `name:` (a JUMPDEST) and
 * `@name` (its position, pushed).
 */
export function assemble(source: string): Hex {
  const labels = new Map<string, number>()
  const references: { readonly at: number; readonly label: string }[] = []
  const bytes: number[] = []
  for (const token of source.trim().split(/\s+/)) {
    if (token.endsWith(':')) {
      labels.set(token.slice(0, -1), bytes.length)
      bytes.push(0x5b)
    } else if (token.startsWith('@')) {
      references.push({ at: bytes.length + 1, label: token.slice(1) })
      bytes.push(0x61, 0, 0)
    } else if (/^\d/.test(token)) bytes.push(...push(token))
    else {
      const byte = BYTES.get(token)
      if (byte === undefined) throw new Error(`unknown instruction ${token}`)
      bytes.push(byte)
    }
  }
  for (const { at, label } of references) {
    const position = labels.get(label)
    if (position === undefined) throw new Error(`unknown label ${label}`)
    bytes[at] = position >> 8
    bytes[at + 1] = position & 0xff
  }
  return `0x${Buffer.from(bytes).toString('hex')}`
}

/** A literal retains its size in hexadecimal notation; a decimal one takes as few bytes as possible. */
function push(token: string): number[] {
  const hex = token.startsWith('0x') ? token.slice(2) : BigInt(token).toString(16)
  if (hex === '0') return [0x5f]
  const bytes = [...Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')]
  return [0x5f + bytes.length, ...bytes]
}

/** Pattern that hidden calldata is combined with, word by word. */
const MASK = `0x${'a5'.repeat(32)}`

function unmask(label: string, lengthAt: number) {
  return `
  0
  ${label}:
  DUP1 MLOAD ${MASK} XOR DUP2 MSTORE
  32 ADD
  DUP1 DUP${lengthAt} GT @${label} JUMPI
  POP`
}

/** Bytes that only become calldata in the memory of a contract of ours: no reader of transactions sees it. */
export function masked(data: Hex): Hex {
  return `0x${Buffer.from(Buffer.from(data.slice(2), 'hex').map((byte) => byte ^ 0xa5)).toString('hex')}`
}

/** A piece of a carrier's calldata, with its treatment. */
export type Piece =
  | { readonly how: 'call'; readonly data: Hex }
  /** Calldata that the transaction does not show. */
  | { readonly how: 'hidden'; readonly data: Hex }
  /** Never used: only there for readers of the transaction. */
  | { readonly how: 'ignored'; readonly data: Hex }

const MODE = { call: 0, ignored: 1, hidden: 2 } as const

/** Calldata of a carrier: each piece one byte of mode, three of length, then itself. */
export function carried(pieces: readonly Piece[]): Hex {
  return `0x${pieces
    .map(({ how, data }) => {
      const bytes = how === 'hidden' ? masked(data) : data
      const length = (bytes.length - 2) / 2
      return `${MODE[how].toString(16).padStart(2, '0')}${length.toString(16).padStart(6, '0')}${bytes.slice(2)}`
    })
    .join('')}`
}

/** A contract that calls the registry with each piece of its calldata, and carries on where a call fails. */
export function carrierCode(registry: Address): Hex {
  return assemble(`
    0
    loop:
    DUP1 CALLDATASIZE GT ISZERO @end JUMPI
    DUP1 CALLDATALOAD
    DUP1 224 SHR 0xffffff AND
    SWAP1 248 SHR
    DUP1 1 EQ @next JUMPI
    DUP2 DUP4 4 ADD 0 CALLDATACOPY
    DUP1 2 EQ ISZERO @call JUMPI
    ${unmask('unmask', 4)}
    call:
    0 0 DUP4 0 0 ${registry} GAS CALL
    POP
    next:
    POP ADD 4 ADD @loop JUMP
    end: STOP`)
}

/** One call that a constructor makes. */
export interface ConstructorCall {
  readonly to: Address
  readonly data: Hex
  readonly hidden: boolean
}

/** Init code that makes calls and leaves an empty contract. */
export function constructorOf(calls: readonly ConstructorCall[]): Hex {
  const write = (offsets: readonly number[]): Hex =>
    assemble(
      calls
        .map(({ to, data, hidden }, i) => {
          const length = (data.length - 2) / 2
          const offset = `0x${(offsets[i] as number).toString(16).padStart(6, '0')}`
          const copied = length === 0 ? '' : `${length} ${offset} 0 CODECOPY`
          const opened = hidden && length > 0 ? `${length} ${unmask(`unmask${i}`, 3)} POP` : ''
          return `${copied} ${opened} 0 0 ${length} 0 0 ${to} GAS CALL POP`
        })
        .concat('0 0 RETURN')
        .join('\n'),
    )
  const size = (write(calls.map(() => 0)).length - 2) / 2
  let at = size
  const offsets = calls.map(({ data }) => {
    const offset = at
    at += (data.length - 2) / 2
    return offset
  })
  const parts = calls.map(({ data, hidden }) => (hidden ? masked(data) : data).slice(2))
  return `${write(offsets)}${parts.join('')}` as Hex
}

/** An owner that accepts every signature (EIP-1271). */
export const ANY_SIGNATURE: Hex = assemble(`0x1626ba7e${'00'.repeat(28)} 0 MSTORE 32 0 RETURN`)

/** A transformation's code that answers `range`: `count` values of four bytes; `value` leaves each on the stack, above its index. */
export function answering(value: string): string {
  return `
  0
  next:
  DUP1 0x44 CALLDATALOAD GT ISZERO @end JUMPI
  ${value} 224 SHL DUP2 2 SHL MSTORE
  1 ADD @next JUMP
  end: 2 SHL 0 RETURN`
}
