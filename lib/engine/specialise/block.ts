import { isArithmetic } from '../arithmetic.ts'
import { mustBeUsable } from './algebra.ts'
import { calldataWord, clear, hash } from './data.ts'
import type { Context } from './frame.ts'
import { load, type Memory, placeOf, write } from './memory.ts'
import { onlyReverts } from './program.ts'
import type { State } from './state.ts'
import { constant, type Facts, pointer, rangeOf, type Term, Unspecialised, type Value } from './value.ts'

/** Where a block goes. */
export type Way =
  | { readonly kind: 'reverted' }
  /** The next instruction takes a word of the frame: the step is over. */
  | { readonly kind: 'left'; readonly pc: number }
  /** `decided`: constants chose between this way and another that goes on as well. */
  | { readonly kind: 'jump'; readonly to: number; readonly decided: boolean }
  | { readonly kind: 'branch'; readonly condition: Term; readonly to: number; readonly otherwise: number }

const MOST_CLEARED = 16_384
/** Instructions that only move words, those of the frame as well. */
const MOVES = /^(DUP|SWAP|POP)/

/** Executes one block. */
export class Block {
  readonly #context: Context
  #stack: Value[]
  #memory: Memory
  readonly #facts: Facts
  /** Instructions executed. */
  length = 0

  constructor(context: Context, entry: State) {
    this.#context = context
    this.#stack = [...entry.stack]
    this.#memory = entry.memory
    this.#facts = new Map(entry.facts)
  }

  /** The state at the end of the block. */
  state(): State {
    return { stack: [...this.#stack], memory: this.#memory, facts: this.#facts }
  }

  /** @throws Unspecialised */
  run(pc: number): Way {
    const { program } = this.#context
    for (let at = pc; ; ) {
      const instruction = program.at.get(at)
      const definition = instruction?.definition
      if (definition === undefined) {
        // Code ends with STOP; a byte that is no instruction fails.
        if (at >= program.code.length) throw new Unspecialised('STOP')
        return { kind: 'reverted' }
      }
      if (this.#stack.length < definition.takes || this.#stack.length > 1000) return { kind: 'reverted' }
      const { name } = definition
      if (!MOVES.test(name) && this.#takesFrame(definition.takes)) return { kind: 'left', pc: at }
      this.length++
      const next = at + (name.startsWith('PUSH') ? 1 + Number(name.slice(4)) : 1)
      if (instruction?.pushed !== undefined) this.#push(instruction.pushed)
      else {
        const way = this.#execute(name, next)
        if (way !== undefined) return way
      }
      at = next
      if (program.places.has(at)) return { kind: 'jump', to: at, decided: false }
    }
  }

  #takesFrame(words: number): boolean {
    for (let i = 1; i <= words; i++) if (this.#stack.at(-i)!.kind === 'frame') return true
    return false
  }

  #push(word: number | bigint): void {
    this.#stack.push(constant(word, typeof word === 'number' && this.#context.program.places.has(word)))
  }

  #pop(): Value {
    return this.#stack.pop()!
  }

  #execute(name: string, next: number): Way | undefined {
    if (isArithmetic(name)) {
      const takes = name === 'ADDMOD' || name === 'MULMOD' ? 3 : name === 'ISZERO' || name === 'NOT' ? 1 : 2
      this.#stack.push(this.#apply(name, ...Array.from({ length: takes }, () => this.#pop())))
      return undefined
    }
    if (name.startsWith('DUP')) {
      this.#stack.push(this.#stack.at(-Number(name.slice(3)))!)
      return undefined
    }
    if (name.startsWith('SWAP')) {
      const other = this.#stack.length - 1 - Number(name.slice(4))
      const top = this.#pop()
      this.#stack.push(this.#stack[other]!)
      this.#stack[other] = top
      return undefined
    }
    switch (name) {
      case 'JUMPDEST':
        return undefined
      case 'POP':
        this.#pop()
        return undefined
      case 'JUMP':
        return { kind: 'jump', to: this.#target(this.#pop()), decided: false }
      case 'JUMPI':
        return this.#branch(this.#pop(), this.#pop(), next)
      case 'MLOAD':
        this.#stack.push(load(this.#memory, this.#pop(), this.#context.algebra, this))
        return undefined
      case 'MSTORE':
        this.#store(this.#pop(), this.#pop())
        return undefined
      case 'KECCAK256':
        this.#stack.push(hash(this.#context, this, this.#pop(), this.#size(this.#pop())))
        return undefined
      case 'CALLDATALOAD':
        this.#stack.push(calldataWord(this.#context, this, this.#pop()))
        return undefined
      case 'CALLDATASIZE':
        this.#stack.push(pointer('end', 0))
        return undefined
      case 'CALLDATACOPY': {
        const [target, source, size] = [this.#pop(), this.#pop(), this.#size(this.#pop())]
        this.#memory = clear(this.#context, this, target, source, size)
        return undefined
      }
      case 'REVERT':
      case 'INVALID':
        return { kind: 'reverted' }
      default:
        throw new Unspecialised(name)
    }
  }

  get memory(): Memory {
    return this.#memory
  }

  get facts(): Facts {
    return this.#facts
  }

  #apply(op: string, ...operands: Value[]): Value {
    return this.#context.algebra.apply(op, operands, this)
  }

  #used(value: Value): Value {
    mustBeUsable(value)
    return value
  }

  #target(value: Value): number {
    if (value.kind !== 'constant' || !this.#context.program.places.has(Number(value.word))) {
      throw new Unspecialised('a jump to no known place')
    }
    return Number(value.word)
  }

  #branch(target: Value, condition: Value, next: number): Way {
    const to = this.#target(target)
    const decided = (holds: boolean): Way => ({
      kind: 'jump',
      to: holds ? to : next,
      decided: !onlyReverts(this.#context.program, holds ? next : to),
    })
    if (condition.kind === 'term' && (condition.op === 'SUB' || condition.op === 'XOR')) {
      const isEqual = this.#apply('EQ', ...condition.operands)
      return this.#branch(target, this.#apply('ISZERO', isEqual), next)
    }
    const { low, high } = rangeOf(this.#used(condition), this.#facts)
    if (low > 0n) return decided(true)
    if (high === 0n || condition.kind !== 'term') return decided(false)
    return { kind: 'branch', condition, to, otherwise: next }
  }

  #size(value: Value): number {
    if (value.kind !== 'constant' || value.word > MOST_CLEARED)
      throw new Unspecialised('a size not known, or large')
    return Number(value.word)
  }

  #store(address: Value, value: Value): void {
    const place = placeOf(address, 32)
    this.#context.algebra.effort.spend(this.#memory.free.length >> 3)
    this.#memory = write(this.#memory, place, 32, value)
  }
}
