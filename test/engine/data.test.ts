import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_WORD } from '../../lib/engine/ranges.ts'
import { Algebra } from '../../lib/engine/specialise/algebra.ts'
import { calldataAt, codeAt, copy, hash, memoryAt } from '../../lib/engine/specialise/data.ts'
import { FRESH, type Memory, read, write } from '../../lib/engine/specialise/memory.ts'
import { readProgram } from '../../lib/engine/specialise/program.ts'
import { constant, Effort, pointer, Unspecialised, type Value } from '../../lib/engine/specialise/value.ts'
import { keccak256, word } from '../../lib/engine/words.ts'

const algebra = new Algebra(new Effort(100_000_000), false)
const facts = new Map()

function contextOf(code: Uint8Array) {
  return { program: readProgram(code), args: [constant(5), constant(6)], algebra, frame: undefined as never }
}

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

const words = fc.array(fc.bigInt({ min: 0n, max: MAX_WORD }), { minLength: 6, maxLength: 6 })

test('copies of code and of memory are copies of bytes', () => {
  const property = fc.property(words, fc.uint8Array(), fc.nat(99), fc.nat(80), (held, code, from, size) => {
    const context = contextOf(code)
    const memory = filled(held)
    const before = bytesIn(memory, 192)
    const position = { memory, facts }
    const target = pointer('memory', 0)
    const ofCode = copy(context, position, target, size, codeAt(context, position, constant(from)))
    const part = Array.from({ length: size }, (_, i) => code[from + i] ?? 0)
    expect(bytesIn(ofCode, 192)).toEqual([...part, ...before.slice(size)])
    const source = pointer('memory', from)
    const ofMemory = copy(context, position, target, size, memoryAt(context, position, source))
    expect(bytesIn(ofMemory, 192)).toEqual([...before.slice(from, from + size), ...before.slice(size)])
  })
  fc.assert(property, { seed: 7, numRuns: 60 })
})

test('of calldata the arguments can be copied, and what is behind its end', () => {
  const context = contextOf(new Uint8Array())
  const position = { memory: FRESH, facts }
  const copied = (source: Value, size: number) =>
    bytesIn(copy(context, position, pointer('memory', 0), size, calldataAt(context, position, source)), size)
  expect(copied(pointer('arguments', 0), 64).filter(Boolean)).toEqual([5, 6])
  expect(copied(pointer('end', 0), 64)).toEqual(Array(64).fill(0))
  for (const [source, size] of [
    [pointer('arguments', 0), 65],
    [pointer('arguments', 16), 32],
    [pointer('end', -32), 32],
    [pointer('memory', 0), 32],
    [constant(0), 32],
  ] as const)
    expect(() => copied(source, size), JSON.stringify(source)).toThrow(Unspecialised)
})

test('hashes of memory', () => {
  const memory = filled(Array.from({ length: 33 }, (_, i) => BigInt(i) << 248n))
  const hashed = (size: number, of = memory) =>
    hash(contextOf(new Uint8Array()), { memory: of, facts }, pointer('memory', 0), size)
  for (const size of [0, 1, 32, 33, 64, 70, 1024])
    expect(hashed(size)).toEqual(constant(keccak256(Uint8Array.from(bytesIn(memory, size)))))
  expect(() => hashed(1025)).toThrow('a hash of much')
  for (const one of [pointer('memory', 0), { kind: 'frame', slot: 0 } as const]) {
    const unknown = write(memory, { space: 'free', start: 32 }, 32, one)
    expect(() => hashed(64, unknown), one.kind).toThrow(Unspecialised)
  }
})
