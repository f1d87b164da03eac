/** The instruction set of the EVM (Osaka), as tables. */

export interface Opcode {
  readonly name: string
  /** Words taken from the stack. */
  readonly takes: number
  /** Words put on it. */
  readonly gives: number
}

/** An instruction and its place in the code. */
export interface Instruction {
  readonly pc: number
  readonly opcode: number
  /** `undefined` for a byte that is no instruction: reaching it fails the call. */
  readonly definition: Opcode | undefined
  /** Value that a PUSH puts on the stack, a number while that is exact; bytes that the code ends before are zero. */
  readonly pushed?: number | bigint
}

const PUSH0 = 0x5f
const PUSH32 = 0x7f
export const JUMPDEST = 0x5b

const ROWS: readonly (readonly [first: number, names: string, takes: number, gives: number])[] = [
  [0x00, 'STOP', 0, 0],
  [0x01, 'ADD MUL SUB DIV SDIV MOD SMOD', 2, 1],
  [0x08, 'ADDMOD MULMOD', 3, 1],
  [0x0a, 'EXP SIGNEXTEND', 2, 1],
  [0x10, 'LT GT SLT SGT EQ', 2, 1],
  [0x15, 'ISZERO', 1, 1],
  [0x16, 'AND OR XOR', 2, 1],
  [0x19, 'NOT', 1, 1],
  [0x1a, 'BYTE SHL SHR SAR', 2, 1],
  [0x1e, 'CLZ', 1, 1],
  [0x20, 'KECCAK256', 2, 1],
  [0x30, 'ADDRESS', 0, 1],
  [0x31, 'BALANCE', 1, 1],
  [0x32, 'ORIGIN CALLER CALLVALUE', 0, 1],
  [0x35, 'CALLDATALOAD', 1, 1],
  [0x36, 'CALLDATASIZE', 0, 1],
  [0x37, 'CALLDATACOPY', 3, 0],
  [0x38, 'CODESIZE', 0, 1],
  [0x39, 'CODECOPY', 3, 0],
  [0x3a, 'GASPRICE', 0, 1],
  [0x3b, 'EXTCODESIZE', 1, 1],
  [0x3c, 'EXTCODECOPY', 4, 0],
  [0x3d, 'RETURNDATASIZE', 0, 1],
  [0x3e, 'RETURNDATACOPY', 3, 0],
  [0x3f, 'EXTCODEHASH BLOCKHASH', 1, 1],
  [0x41, 'COINBASE TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE', 0, 1],
  [0x49, 'BLOBHASH', 1, 1],
  [0x4a, 'BLOBBASEFEE', 0, 1],
  [0x50, 'POP', 1, 0],
  [0x51, 'MLOAD', 1, 1],
  [0x52, 'MSTORE MSTORE8', 2, 0],
  [0x54, 'SLOAD', 1, 1],
  [0x55, 'SSTORE', 2, 0],
  [0x56, 'JUMP', 1, 0],
  [0x57, 'JUMPI', 2, 0],
  [0x58, 'PC MSIZE GAS', 0, 1],
  [JUMPDEST, 'JUMPDEST', 0, 0],
  [0x5c, 'TLOAD', 1, 1],
  [0x5d, 'TSTORE', 2, 0],
  [0x5e, 'MCOPY', 3, 0],
  [PUSH0, Array.from({ length: 33 }, (_, size) => `PUSH${size}`).join(' '), 0, 1],
  ...Array.from({ length: 16 }, (_, i) => [0x80 + i, `DUP${i + 1}`, i + 1, i + 2] as const),
  ...Array.from({ length: 16 }, (_, i) => [0x90 + i, `SWAP${i + 1}`, i + 2, i + 2] as const),
  ...Array.from({ length: 5 }, (_, i) => [0xa0 + i, `LOG${i}`, i + 2, 0] as const),
  [0xf0, 'CREATE', 3, 1],
  [0xf1, 'CALL CALLCODE', 7, 1],
  [0xf3, 'RETURN', 2, 0],
  [0xf4, 'DELEGATECALL', 6, 1],
  [0xf5, 'CREATE2', 4, 1],
  [0xfa, 'STATICCALL', 6, 1],
  [0xfd, 'REVERT', 2, 0],
  [0xfe, 'INVALID', 0, 0],
  [0xff, 'SELFDESTRUCT', 1, 0],
]

/** By byte; `undefined` where there is no instruction. */
export const OPCODES: readonly (Opcode | undefined)[] = (() => {
  const table: (Opcode | undefined)[] = Array.from({ length: 256 }, () => undefined)
  for (const [first, names, takes, gives] of ROWS) {
    for (const [index, name] of names.split(' ').entries()) table[first + index] = { name, takes, gives }
  }
  return table
})()

/** The code as instructions, in order; the bytes after a PUSH are no instructions, as JUMP sees it too. */
export function disassemble(code: Uint8Array): Instruction[] {
  const instructions: Instruction[] = []
  for (let pc = 0; pc < code.length; pc++) {
    const opcode = code[pc] as number
    const definition = OPCODES[opcode]
    if (opcode < PUSH0 || opcode > PUSH32) {
      instructions.push({ pc, opcode, definition })
      continue
    }
    const size = opcode - PUSH0
    let value = 0n
    for (let i = 1; i <= size; i++) value = (value << 8n) | BigInt(code[pc + i] ?? 0)
    const pushed = value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
    instructions.push({ pc, opcode, definition, pushed })
    pc += size
  }
  return instructions
}

/**
 * Opcodes that the registry refuses in published code: by them code could vanish, run other code on its own account, or
 * create contracts.
 */
export const FORBIDDEN_OPCODES: ReadonlyMap<number, string> = new Map([
  [0xf0, 'CREATE'],
  [0xf2, 'CALLCODE'],
  [0xf4, 'DELEGATECALL'],
  [0xf5, 'CREATE2'],
  [0xff, 'SELFDESTRUCT'],
])

/** STOP, JUMP, RETURN, REVERT, INVALID: the next instruction runs only when it is jumped to. */
const TERMINATORS: ReadonlySet<number> = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe])
const PUSH1 = 0x60

/** First and last opcode of each range that the Osaka fork defines. */
const DEFINED: readonly (readonly [number, number])[] = [
  [0x00, 0x0b],
  [0x10, 0x1e],
  [0x20, 0x20],
  [0x30, 0x4a],
  [0x50, 0xa4],
  [0xf0, 0xf5],
  [0xfa, 0xfa],
  [0xfd, 0xff],
]

function isDefined(opcode: number): boolean {
  return DEFINED.some(([first, last]) => first <= opcode && opcode <= last)
}

export interface ForbiddenOpcode {
  readonly opcode: number
  readonly name: string
  /** Bytes from the start of the code. */
  readonly offset: number
}

/**
 * Returns the first forbidden opcode that the code may reach, as `contracts/CodeScan.sol` decides it. Push data is no
 * instruction, and code between a terminator and the next JUMPDEST is never reached.
 */
export function findForbiddenOpcode(code: Uint8Array): ForbiddenOpcode | undefined {
  let reachable = true
  // A later fork may give an undefined opcode an operand byte, and what is a terminator today may be the operand.
  let afterUndefined = false
  for (let offset = 0; offset < code.length; offset++) {
    const opcode = code[offset] as number
    if (opcode >= PUSH1 && opcode <= PUSH32) {
      offset += opcode - PUSH1 + 1
    } else if (opcode === JUMPDEST) {
      reachable = true
      afterUndefined = false
    } else if (reachable) {
      const name = FORBIDDEN_OPCODES.get(opcode)
      if (name !== undefined) return { opcode, name, offset }
      if (TERMINATORS.has(opcode)) reachable = afterUndefined
      else if (!isDefined(opcode)) afterUndefined = true
    }
  }
  return undefined
}
