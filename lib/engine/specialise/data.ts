import { keccakPacked } from '../words.ts'
import { type FactScope, mustBeUsable } from './algebra.ts'
import type { Context } from './frame.ts'
import { atIndex, type Memory, placeOf, read, write } from './memory.ts'
import { constant, rangeOf, Unspecialised, type Value } from './value.ts'

const MOST_HASHED = 1024

/** Memory and facts at a point of a block. */
export interface Position extends FactScope {
  readonly memory: Memory
}

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
    const word = args[offset / 0x20]
    if (word === undefined) throw new Unspecialised('calldata outside the arguments')
    return word
  }
  return address.index === undefined ? at(address) : atIndex(address, address.index, position, algebra, at)
}

/**
 * CALLDATACOPY from behind the end of the calldata, where there are zeros: that is how compilers clear memory.
 *
 * @returns Memory after it.
 */
export function clear(
  { algebra }: Context,
  position: Position,
  target: Value,
  source: Value,
  size: number,
): Memory {
  if (source.kind !== 'pointer' || source.region !== 'end' || source.offset !== 0 || source.index) {
    throw new Unspecialised('calldata copied as it is')
  }
  let { memory } = position
  for (let at = 0; at < size; at += 32) {
    const length = Math.min(32, size - at)
    const place = placeOf(algebra.apply('ADD', [target, constant(at)], position), length)
    memory = write(memory, place, length, constant(0))
  }
  return memory
}
