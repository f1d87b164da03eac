import { bits } from '../ranges.ts'
import { keccakPacked } from '../words.ts'
import { type Known, mustBeUsable } from './algebra.ts'
import type { Context } from './frame.ts'
import { atIndex, type Memory, placeOf, read, write } from './memory.ts'
import { constant, rangeOf, Unspecialised, type Value } from './value.ts'

const MOST_HASHED = 1024

/** Memory and facts at a point of a block. */
export interface Position extends Known {
  readonly memory: Memory
}

/** Up to 32 bytes, as the high bytes of a word, so far behind the beginning of what is copied. */
type Reader = (offset: number, length: number) => Value

/** KECCAK256 of memory. */
export function hash({ algebra }: Context, position: Position, address: Value, size: number): Value {
  if (size > MOST_HASHED) throw new Unspecialised('a hash of much')
  const words: Value[] = []
  for (let at = 0; at < size; at += 32) {
    const length = Math.min(32, size - at)
    const place = placeOf(algebra.apply('ADD', [address, constant(at)], position), length)
    const word = read(position.memory, place, length, algebra, position)
    mustBeUsable(word)
    // Only words have a range; what depends on the layout of the call has none.
    rangeOf(word, position.facts)
    words.push(word)
  }
  if (words.every((word) => word.kind === 'constant')) {
    return constant(keccakPacked(size, ...words.map(({ word }) => word)))
  }
  return algebra.term('KECCAK256', [constant(size), ...words], position)
}

/** CALLDATALOAD. */
export function calldataWord({ args, algebra }: Context, position: Position, address: Value): Value {
  if (address.kind === 'constant') throw new Unspecialised('the layout of the call')
  if (address.kind !== 'pointer' || address.region !== 'arguments') {
    throw new Unspecialised('calldata at an address known at run time only')
  }
  const at = ({ offset }: { readonly offset: number }) => {
    const word = argumentWord(args, offset)
    if (word === undefined) throw new Unspecialised('calldata outside the arguments')
    return word
  }
  return address.index === undefined ? at(address) : atIndex(address, address.index, position, algebra, at)
}

/** The word at an offset from the first argument; `undefined` where the caller decides. */
function argumentWord(args: readonly Value[], offset: number): Value | undefined {
  return args[offset / 0x20]
}

/** The words of calldata from an address on. */
export function calldataAt({ args }: Context, _position: Position, source: Value): Reader {
  if (source.kind !== 'pointer' || source.index !== undefined) {
    throw new Unspecialised('calldata copied as it is')
  }
  const { region, offset } = source
  // Behind the end of the calldata there are zeros: that is how compilers clear memory.
  if (region === 'end' && offset === 0) return () => constant(0)
  if (region !== 'arguments') throw new Unspecialised('the layout of the call')
  return (at) => {
    const word = argumentWord(args, offset + at)
    if (word === undefined) throw new Unspecialised('calldata outside the arguments')
    return word
  }
}

/** The words of the code from an address on. */
export function codeAt({ program: { code } }: Context, _position: Position, source: Value): Reader {
  if (source.kind !== 'constant') throw new Unspecialised('code copied from anywhere')
  const from = Number(source.word)
  return (at) => {
    let word = 0n
    for (let i = 0; i < 32; i++) word = (word << 8n) | BigInt(code[from + at + i] ?? 0)
    return constant(bits(word) <= 53n ? Number(word) : word)
  }
}

/** The words of memory from an address on. */
export function memoryAt({ algebra }: Context, position: Position, source: Value): Reader {
  const { memory } = position
  return (at, length) => {
    const place = placeOf(algebra.apply('ADD', [source, constant(at)], position), length)
    return read(memory, place, length, algebra, position)
  }
}

/** Memory after `size` bytes were copied to an address. */
export function copy(
  { algebra }: Context,
  position: Position,
  target: Value,
  size: number,
  reader: Reader,
): Memory {
  let { memory } = position
  for (let at = 0; at < size; at += 32) {
    const length = Math.min(32, size - at)
    const place = placeOf(algebra.apply('ADD', [target, constant(at)], position), length)
    memory = write(memory, place, length, reader(at, length))
  }
  return memory
}
