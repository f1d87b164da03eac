import { disassemble, type Instruction, JUMPDEST } from '../opcodes.ts'

/** Code by address. */
export interface Program {
  readonly code: Uint8Array
  readonly at: ReadonlyMap<number, Instruction>
  readonly places: ReadonlySet<number>
}

export function readProgram(code: Uint8Array): Program {
  const instructions = disassemble(code)
  return {
    code,
    at: new Map(instructions.map((instruction) => [instruction.pc, instruction])),
    places: new Set(instructions.filter(({ opcode }) => opcode === JUMPDEST).map(({ pc }) => pc)),
  }
}
