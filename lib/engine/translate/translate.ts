import { disassemble, type Instruction, JUMPDEST } from '#lib/protocol/opcodes.ts'
import { isArithmetic } from '../arithmetic.ts'
import type { Budget, CallOutcome, TranslatedContract } from '../types.ts'
import * as words from '../words.ts'
import { Frame } from './frame.ts'

/** The largest runtime code that a chain accepts (EIP-170). */
const CODE_LIMIT = 24_576
const STACK_LIMIT = 1024

const HELPERS = Object.keys(words).join(', ')
/** A static call may not do these. */
const FAILS = /^(INVALID|SSTORE|TSTORE|LOG\d|CREATE2?|SELFDESTRUCT)$/
const BLOCK_ENDS = new Set(['STOP', 'JUMP', 'JUMPI', 'RETURN', 'REVERT', 'INVALID', 'SELFDESTRUCT'])

/** Opcodes that are methods of the frame, and whether they put a word on the stack. */
const FRAME_METHODS = new Map([
  ['MLOAD', true],
  ['CALLDATALOAD', true],
  ['CALLDATASIZE', true],
  ['MSIZE', true],
  ['KECCAK256', true],
  ['MSTORE', false],
  ['MSTORE8', false],
  ['MCOPY', false],
  ['CALLDATACOPY', false],
  ['CODECOPY', false],
  ['RETURNDATACOPY', false],
])

/**
 * Translates deployed code to a JavaScript function: any code, any calldata, exact results and revert data. Basic blocks
 * are the cases of a switch, the stack between them is an array, words inside them are constants. `Declined` when a call
 * comes to what is not computed here: gas, blocks, storage, other accounts, very much memory. `Failed` for failures that use up
 * all gas: an invalid instruction or jump, a write to storage.
 *
 * @returns `undefined` where the code is too large.
 */
export function translate(code: Uint8Array): TranslatedContract | undefined {
  if (code.length > CODE_LIMIT) return undefined
  const instructions = disassemble(code)
  const destinations = new Set(instructions.filter(({ opcode }) => opcode === JUMPDEST).map(({ pc }) => pc))
  const cases = basicBlocks(instructions).map((block) =>
    new BlockWriter(block, code.length, destinations).text(),
  )
  // The text holds only names and literals made here, never anything that came with the code.
  const text = `'use strict'
const { ${HELPERS} } = h
return function (m) {
const S = new Array(${STACK_LIMIT})
let p = 0, n = 0
for (;;) {
m.take(1)
switch (p) {
${cases.join('\n')}
case ${code.length}: return m.returned(0, 0)
default: m.fail()
}
}
}`
  const run = new Function('h', text)(words) as (frame: Frame) => CallOutcome
  const frame = new Frame(code, destinations)
  return {
    call(calldata: Uint8Array, budget: Budget): CallOutcome {
      frame.begin(calldata, budget)
      return run(frame)
    },
  }
}

/** Code that runs from its first instruction to its last, or fails; code that no jump can reach is left out. */
function basicBlocks(instructions: readonly Instruction[]): Instruction[][] {
  const blocks: Instruction[][] = []
  let block: Instruction[] | undefined
  let previous: string | undefined
  for (const instruction of instructions) {
    const name = instruction.definition?.name ?? 'INVALID'
    if (previous === undefined || previous === 'JUMPI' || name === 'JUMPDEST') {
      block = []
      blocks.push(block)
    }
    block?.push(instruction)
    if (BLOCK_ENDS.has(name)) block = undefined
    previous = name
  }
  return blocks
}

/** Writes one basic block as a case of the switch. */
class BlockWriter {
  readonly #block: readonly Instruction[]
  readonly #end: number
  readonly #destinations: ReadonlySet<number>
  readonly #lines: string[] = []
  /** Names and literals of the words on the stack, as far down as the block reaches. */
  readonly #stack: string[]
  /** Words that the block takes from the stack it finds. */
  readonly #takes: number
  #names = 0

  constructor(block: readonly Instruction[], end: number, destinations: ReadonlySet<number>) {
    this.#block = block
    this.#end = end
    this.#destinations = destinations
    const { takes, grows } = stackReach(block)
    this.#takes = takes
    this.#stack = Array.from({ length: takes }, (_, slot) => `s${slot}`)
    if (takes > 0) this.#lines.push(`if (n < ${takes}) m.fail()`)
    if (grows > 0) this.#lines.push(`if (n > ${STACK_LIMIT - grows}) m.fail()`)
    for (let slot = 0; slot < takes; slot++) this.#lines.push(`const s${slot} = S[n - ${takes - slot}]`)
  }

  text(): string {
    const open = this.#block.every((instruction) => this.#write(instruction))
    if (open) {
      const { pc, opcode } = this.#block.at(-1) as Instruction
      const size = opcode >= 0x60 && opcode <= 0x7f ? opcode - 0x5f : 0
      this.#go(String(Math.min(pc + 1 + size, this.#end)))
    }
    return `case ${this.#block[0]?.pc}: {\n${this.#lines.join('\n')}\n}`
  }

  /** @returns false when the block ends with the instruction. */
  #write({ pc, opcode, definition, pushed }: Instruction): boolean {
    const name = definition?.name ?? 'INVALID'
    const stack = this.#stack
    if (pushed !== undefined) stack.push(literal(pushed))
    else if (name.startsWith('DUP')) stack.push(stack.at(0x7f - opcode) as string)
    else if (name.startsWith('SWAP')) {
      const other = stack.length - (opcode - 0x8e)
      const top = this.#pop()
      stack.push(stack[other] as string)
      stack[other] = top
    } else if (isArithmetic(name)) {
      const operands = this.#operands(definition?.takes)
      // The work of EXP grows with the exponent; that of all others is bounded.
      if (name === 'EXP') this.#lines.push(`m.exponent(${operands[1]})`)
      this.#assign(`${name.toLowerCase()}(${operands.join(', ')})`)
    } else if (FRAME_METHODS.has(name)) {
      const call = `m.${name.toLowerCase()}(${this.#operands(definition?.takes).join(', ')})`
      if (FRAME_METHODS.get(name)) this.#assign(call)
      else this.#lines.push(call)
    } else {
      switch (name) {
        case 'JUMPDEST':
          break
        // Nothing can have written it before.
        case 'TLOAD':
          stack[stack.length - 1] = '0'
          break
        // A static call carries no value, and code that calls nothing has nothing returned to it.
        case 'CALLVALUE':
        case 'RETURNDATASIZE':
          stack.push('0')
          break
        case 'CODESIZE':
          stack.push(String(this.#end))
          break
        case 'PC':
          stack.push(String(pc))
          break
        case 'POP':
          stack.pop()
          break
        case 'JUMP':
          this.#go(this.#place(this.#pop()))
          return false
        case 'JUMPI': {
          const place = this.#place(this.#pop())
          this.#go(`${this.#pop()} !== 0 ? ${place} : ${Math.min(pc + 1, this.#end)}`)
          return false
        }
        case 'RETURN':
        case 'REVERT':
          this.#lines.push(`return m.${name.toLowerCase()}ed(${this.#operands(2).join(', ')})`)
          return false
        case 'STOP':
          this.#lines.push('return m.returned(0, 0)')
          return false
        default:
          this.#lines.push(FAILS.test(name) ? 'm.fail()' : `m.decline('${name}')`)
          return false
      }
    }
    return true
  }

  #pop(): string {
    return this.#stack.pop() as string
  }

  #operands(count = 0): string[] {
    return Array.from({ length: count }, () => this.#pop())
  }

  #assign(expression: string): void {
    const name = `t${this.#names++}`
    this.#lines.push(`const ${name} = ${expression}`)
    this.#stack.push(name)
  }

  /** An expression for the block that a jump to a word leads to; -1 fails. */
  #place(word: string): string {
    if (!/^\d/.test(word)) return `m.place(${word})`
    return this.#destinations.has(Number(word)) ? word : '-1'
  }

  /** Puts the words back on the stack and goes on at a place. */
  #go(place: string): void {
    const takes = this.#takes
    this.#lines.push(`p = ${place}`)
    this.#stack.forEach((word, slot) => {
      if (word !== `s${slot}`) this.#lines.push(`S[n + ${slot - takes}] = ${word}`)
    })
    if (this.#stack.length !== takes) this.#lines.push(`n += ${this.#stack.length - takes}`)
    this.#lines.push('continue')
  }
}

function literal(word: words.Word): string {
  return typeof word === 'number' ? String(word) : `0x${word.toString(16)}n`
}

/** Number of words that a block takes from the stack, and the most by which that grows meanwhile. */
function stackReach(block: readonly Instruction[]): { readonly takes: number; readonly grows: number } {
  let height = 0
  let takes = 0
  let grows = 0
  for (const { definition } of block) {
    if (definition === undefined) break
    takes = Math.max(takes, definition.takes - height)
    height += definition.gives - definition.takes
    grows = Math.max(grows, height)
  }
  return { takes, grows }
}
