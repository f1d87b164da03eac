import { disassemble, type Instruction, JUMPDEST } from '#lib/protocol/opcodes.ts'

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

const LONGEST_REVERT = 40

/** Whether the code at an address does nothing but revert, as far as can be seen without running it. */
export function onlyReverts({ at }: Program, start: number): boolean {
  let pc = start
  let pushed: number | undefined
  for (let i = 0; i < LONGEST_REVERT; i++) {
    const instruction = at.get(pc)
    const name = instruction?.definition?.name
    if (instruction === undefined || name === undefined || name === 'REVERT' || name === 'INVALID')
      return true
    if (name === 'JUMPI' || name === 'RETURN' || name === 'STOP') return false
    if (name === 'JUMP') {
      if (pushed === undefined) return false
      pc = pushed
      continue
    }
    pushed = instruction.pushed === undefined ? undefined : Number(instruction.pushed)
    pc += name.startsWith('PUSH') ? 1 + Number(name.slice(4)) : 1
  }
  return false
}
