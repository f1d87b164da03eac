import { disassemble, type Instruction, JUMPDEST } from '../../domain/opcodes.ts'

/** Code that runs from its first instruction to its last, or fails. */
export interface Block {
  readonly pc: number
  readonly instructions: readonly Instruction[]
  /** Where the code goes on behind it; `undefined` at the end of the code. */
  readonly next: number | undefined
}

export interface Code {
  readonly bytes: Uint8Array
  /** By the place of the first instruction. */
  readonly blocks: ReadonlyMap<number, Block>
  /** Whether there is a JUMPDEST. */
  isDestination(pc: number): boolean
}

const ENDS = new Set(['STOP', 'JUMP', 'JUMPI', 'RETURN', 'REVERT', 'INVALID', 'SELFDESTRUCT'])

export function readCode(bytes: Uint8Array): Code {
  const blocks = new Map<number, Block>()
  const destinations = new Set<number>()
  let block: Instruction[] = []
  const close = (next: number | undefined) => {
    const first = block[0]
    if (first !== undefined) blocks.set(first.pc, { pc: first.pc, instructions: block, next })
    block = []
  }
  for (const instruction of disassemble(bytes)) {
    const previous = block.at(-1)
    if (instruction.opcode === JUMPDEST) destinations.add(instruction.pc)
    if (instruction.opcode === JUMPDEST || isEnd(previous)) close(instruction.pc)
    block.push(instruction)
  }
  close(undefined)
  return { bytes, blocks, isDestination: (pc) => destinations.has(pc) }
}

function isEnd(instruction: Instruction | undefined): boolean {
  if (instruction === undefined) return false
  return instruction.definition === undefined || ENDS.has(instruction.definition.name)
}
