import type { Instruction } from '../../domain/opcodes.ts'
import { isArithmetic } from '../arithmetic.ts'
import { MAX_WORD } from '../ranges.ts'
import type { Word } from '../words.ts'
import type { Block, Code } from './blocks.ts'
import { operate } from './operation.ts'
import { constant, type Value } from './value.ts'

/** A call of the frame, in the order of the code; without a method, its operand only has to be computed by then. */
export interface Effect {
  readonly method?: string
  readonly operands: readonly Value[]
  readonly result?: Value
}

/** A way on to another block. */
export interface Way {
  /** Where in the code, or the word that says where to jump. */
  readonly to: number | Value
  readonly stack: readonly Value[]
}

/** Where a jump goes that fails. */
export const FAILURE = -1

export type Exit =
  | { readonly kind: 'jump'; readonly way: Way }
  | { readonly kind: 'branch'; readonly condition: Value; readonly taken: Way; readonly otherwise: Way }
  | { readonly kind: 'returned' | 'reverted'; readonly offset: Value; readonly length: Value }
  | { readonly kind: 'declined'; readonly why: string }

export interface Run {
  readonly effects: readonly Effect[]
  readonly exit: Exit
}

// A static call carries no value, and code that calls nothing has nothing returned to it.
const ZEROS = new Set(['CALLVALUE', 'RETURNDATASIZE'])

const LENGTH = 2n ** 32n - 1n
const EFFECTS = new Map<string, bigint | undefined>([
  ['MLOAD', MAX_WORD],
  ['CALLDATALOAD', MAX_WORD],
  ['CALLDATASIZE', LENGTH],
  ['MSIZE', LENGTH],
  ['KECCAK256', MAX_WORD],
  ['MSTORE', undefined],
  ['MSTORE8', undefined],
  ['MCOPY', undefined],
  ['CALLDATACOPY', undefined],
  ['CODECOPY', undefined],
  ['RETURNDATACOPY', undefined],
])

const STACK_LIMIT = 1024

// Operations are written from the last to the first, each inside the next.
const DEPTH_LIMIT = 100

/** What `block` does to `stack`, which lists at least as many words as it takes, and where it goes on. */
export function interpret(code: Code, block: Block, entry: readonly Value[], labelSize: number): Run {
  const stack = [...entry]
  const effects: Effect[] = []
  const pop = () => stack.pop() as Value
  const declined = (why: string): Run => ({ effects, exit: { kind: 'declined', why } })
  const fallThrough = (): Way => ({ to: block.next ?? code.bytes.length, stack: [...stack] })
  const jump = (to: Value): Way => {
    const place = Number(to.constant)
    const known = code.isDestination(place) ? place : FAILURE
    return { to: to.constant === undefined ? to : known, stack: [...stack] }
  }

  for (const instruction of block.instructions) {
    const { definition, opcode, pushed } = instruction
    if (definition === undefined || stack.length < definition.takes) return declined('failure')
    const { name, takes, gives } = definition
    if (stack.length - takes + gives > STACK_LIMIT) return declined('failure')

    if (pushed !== undefined) {
      stack.push(constant(pushed, isLabel(code, instruction, labelSize)))
    } else if (name.startsWith('DUP')) {
      stack.push(stack.at(0x7f - opcode) as Value)
    } else if (name.startsWith('SWAP')) {
      const other = stack.length - (opcode - 0x8e)
      const top = pop()
      stack.push(stack[other] as Value)
      stack[other] = top
    } else if (isArithmetic(name)) {
      const operands = Array.from({ length: takes }, pop)
      // Its work grows with the exponent, that of all others is bounded by the size of a word.
      if (name === 'EXP') effects.push({ method: 'exponent', operands: [operands[1] as Value] })
      const computed = operate(name, operands)
      const isDeep = (computed.depth ?? 0) > DEPTH_LIMIT
      const word = isDeep ? { ...computed, depth: 0 } : computed
      if (isDeep) effects.push({ operands: [word] })
      stack.push(word)
    } else if (EFFECTS.has(name)) {
      const high = EFFECTS.get(name)
      const operands = Array.from({ length: takes }, pop)
      const result: Value | undefined = high === undefined ? undefined : { high }
      effects.push({ ...effect(name, operands), ...(result ? { result } : {}) })
      if (result !== undefined) stack.push(result)
    } else if (ZEROS.has(name)) {
      stack.push(constant(0))
    } else if (name === 'CODESIZE') {
      stack.push(constant(code.bytes.length))
    } else if (name === 'PC') {
      stack.push(constant(instruction.pc))
    } else if (name === 'POP') {
      pop()
    } else if (name === 'JUMP') {
      return { effects, exit: { kind: 'jump', way: jump(pop()) } }
    } else if (name === 'JUMPI') {
      const to = pop()
      const condition = pop()
      return { effects, exit: branch(condition, jump(to), fallThrough()) }
    } else if (name === 'RETURN' || name === 'REVERT') {
      const offset = pop()
      return { effects, exit: { kind: name === 'RETURN' ? 'returned' : 'reverted', offset, length: pop() } }
    } else if (name === 'STOP') {
      return { effects, exit: { kind: 'returned', offset: constant(0), length: constant(0) } }
    } else if (name !== 'JUMPDEST') {
      return declined(name)
    }
  }
  return { effects, exit: { kind: 'jump', way: fallThrough() } }
}

/** Places in the code are pushed in as many bytes as its length needs. */
function isLabel(code: Code, { opcode, pushed }: Instruction, labelSize: number): boolean {
  return opcode - 0x5f === labelSize && typeof pushed === 'number' && code.isDestination(pushed)
}

/** A store with the peculiarity of those that write fewer than 32 bytes: values shifted to the top. */
function effect(name: string, operands: readonly Value[]): Effect {
  const [offset, value] = operands
  const [shift, shifted] = value?.operands ?? []
  if (name === 'MSTORE' && value?.operation === 'SHL' && shift?.constant === 224 && shifted) {
    return { method: 'mstoreTop', operands: [offset as Value, shifted] }
  }
  return { method: name.toLowerCase(), operands }
}

function branch(condition: Value, taken: Way, otherwise: Way): Exit {
  if (condition.constant !== undefined) {
    return { kind: 'jump', way: condition.constant === 0 ? otherwise : taken }
  }
  return {
    kind: 'branch',
    condition,
    taken: assume(taken, condition, true),
    otherwise: assume(otherwise, condition, false),
  }
}

/** The way with closer bounds on its words: it is only taken if `condition` is `holds`. */
function assume(way: Way, condition: Value, holds: boolean): Way {
  const [a, b] = (condition.operands ?? []) as [Value, Value]
  switch (condition.operation) {
    case 'ISZERO':
      return assume(way, a, !holds)
    case 'LT':
      return holds ? bounded(way, a, b.high - 1n) : bounded(way, b, a.high)
    case 'GT':
      return holds ? bounded(way, b, a.high - 1n) : bounded(way, a, b.high)
    case 'SUB':
    case 'XOR':
    case 'EQ':
      return holds === (condition.operation === 'EQ')
        ? bounded(bounded(way, a, b.high, b.constant), b, a.high, a.constant)
        : way
    default:
      return holds ? way : bounded(way, condition, 0n, 0)
  }
}

function bounded(way: Way, value: Value, high: bigint, known?: Word): Way {
  if (high < 0n || (high >= value.high && known === undefined)) return way
  const closer = known === undefined ? { ...value, high, same: value.same ?? value } : constant(known)
  return { ...way, stack: way.stack.map((word) => (word === value ? closer : word)) }
}
