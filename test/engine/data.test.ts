import { expect, test } from 'vitest'
import { MAX_WORD } from '#lib/engine/ranges.ts'
import { Algebra } from '#lib/engine/specialise/algebra.ts'
import { clear, hash } from '#lib/engine/specialise/data.ts'
import { FRESH, type Memory, read, write } from '#lib/engine/specialise/memory.ts'
import { readProgram } from '#lib/engine/specialise/program.ts'
import { constant, Effort, pointer, Unspecialised, type Value } from '#lib/engine/specialise/value.ts'
import { keccak256, word } from '#lib/engine/words.ts'

const algebra = new Algebra(new Effort(100_000_000), false)
const facts = new Map()

const context = { program: readProgram(new Uint8Array()), args: [], algebra, frame: undefined as never }

/** Memory of words. */
function filled(words: readonly bigint[]): Memory {
  return words.reduce(
    (memory, one, i) => write(memory, { space: 'free', start: 32 * i }, 32, constant(word(one))),
    FRESH,
  )
}
function bytesIn(memory: Memory, size: number): number[] {
  return Array.from({ length: size }, (_, start) => {
    const value = read(memory, { space: 'free', start }, 1, algebra, { facts })
    return value.kind === 'constant' ? Number(BigInt(value.word) >> 248n) : expect.unreachable()
  })
}

test('a copy of what is behind the end of the calldata clears memory, and no other is made', () => {
  const memory = filled([MAX_WORD, MAX_WORD])
  const cleared = (source: Value, size: number) =>
    bytesIn(clear(context, { memory, facts }, pointer('memory', 0), source, size), 64)
  for (const size of [0, 1, 32, 33, 64])
    expect(cleared(pointer('end', 0), size)).toEqual([...Array(size).fill(0), ...Array(64 - size).fill(255)])
  for (const source of [
    pointer('end', -32),
    pointer('arguments', 0),
    pointer('memory', 0),
    constant(0),
  ] as const)
    expect(() => cleared(source, 32), JSON.stringify(source)).toThrow(Unspecialised)
})

test('hashes of memory', () => {
  const memory = filled(Array.from({ length: 33 }, (_, i) => BigInt(i) << 248n))
  const hashed = (size: number, of = memory) =>
    hash(context, { memory: of, facts }, pointer('memory', 0), size)
  for (const size of [0, 1, 32, 33, 64, 70, 1024])
    expect(hashed(size)).toEqual(constant(keccak256(Uint8Array.from(bytesIn(memory, size)))))
  expect(() => hashed(1025)).toThrow('a hash of much')
  for (const one of [pointer('memory', 0), { kind: 'frame', slot: 0 } as const]) {
    const unknown = write(memory, { space: 'free', start: 32 }, 32, one)
    expect(() => hashed(64, unknown), one.kind).toThrow(Unspecialised)
  }
})
