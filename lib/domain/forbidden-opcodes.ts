import { hexToBytes } from 'viem/utils'
import type { Hex } from './entity.ts'

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
const JUMPDEST = 0x5b
const PUSH1 = 0x60
const PUSH32 = 0x7f

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
const isDefined = (opcode: number): boolean =>
  DEFINED.some(([first, last]) => first <= opcode && opcode <= last)

export interface ForbiddenOpcode {
  readonly opcode: number
  readonly name: string
  /** Bytes from the start of the code. */
  readonly offset: number
}

/**
 * Returns the first forbidden opcode that the code may reach, as `contracts/CodeScan.sol` decides it. Push data is no
 * instruction, and what stands between a terminator and the next JUMPDEST is never reached.
 */
export function findForbiddenOpcode(runtime: Hex): ForbiddenOpcode | undefined {
  const code = hexToBytes(runtime)
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
