import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Algebra } from '#lib/engine/specialise/algebra.ts'
import { FRESH, load, type Memory, placeOf, read, write } from '#lib/engine/specialise/memory.ts'
import { constant, Effort, pointer, Unspecialised, type Value } from '#lib/engine/specialise/value.ts'
import { word } from '#lib/engine/words.ts'
import { read as expression, Translation } from './expressions.ts'

const algebra = new Algebra(new Effort(100_000_000), false)
const known = { facts: new Map() }

function free(start: number) {
  return { space: 'free', start } as const
}

function bytesOf(value: bigint): number[] {
  return [...Buffer.from(value.toString(16).padStart(64, '0'), 'hex')]
}

/** The bytes of a constant; so many of them as are known. */
function knownBytes(value: Value): number[] {
  const complete = value.kind === 'partial' ? value.word : value
  if (complete.kind !== 'constant') throw new Error(complete.kind)
  return bytesOf(BigInt(complete.word)).slice(0, value.kind === 'partial' ? value.bytes : 32)
}

const writes = fc.array(
  fc
    .record({
      start: fc.nat(95),
      size: fc.nat(32),
      skip: fc.nat(32),
      value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    })
    .map((one) => ({ ...one, skip: Math.min(one.skip, 32 - one.size) })),
  { minLength: 1, maxLength: 7 },
)

test('memory behaves like bytes, of which only those in front of what was not written can be read', () => {
  const property = fc.property(writes, fc.integer({ min: 1, max: 32 }), (all, size) => {
    const bytes: (number | undefined)[] = Array(160).fill(undefined)
    let memory: Memory = FRESH
    for (const { start, size, skip, value } of all) {
      memory = write(memory, free(start), size, constant(word(value)), skip)
      for (let i = 0; i < size; i++) bytes[start + i] = bytesOf(value)[skip + i]
    }
    for (let at = 0; at < 100; at++) {
      const expected = bytes.slice(at, at + size)
      const written = expected.includes(undefined) ? expected.indexOf(undefined) : size
      const found = () => read(memory, free(at), size, algebra, known)
      if (written === 0) expect(found).toThrow(/did not write/)
      else if (written < size) expect(knownBytes(found())).toEqual(expected.slice(0, written))
      else expect(knownBytes(found()).slice(0, size)).toEqual(expected)
    }
  })
  fc.assert(property, { seed: 7, numRuns: 100 })
})

test('only known bytes of a word can be used', () => {
  const memory = write(FRESH, free(0), 4, constant(word(0x01020304n << 224n)))
  const partial = read(memory, free(0), 32, algebra, known)
  for (const [op, a, b, expected] of [
    ['SHR', constant(224), partial, 0x01020304],
    ['SHR', constant(223), partial, undefined],
    ['SHR', partial, constant(224), undefined],
    ['SHL', constant(224), partial, undefined],
    ['ADD', partial, constant(1), undefined],
    ['ISZERO', partial, partial, undefined],
  ] as const) {
    const apply = () => algebra.apply(op, [a, b], known)
    if (expected === undefined) expect(apply, op).toThrow(Unspecialised)
    else expect(apply(), op).toEqual(constant(expected))
  }
})

test.each([
  [pointer('memory', -1), 32],
  [pointer('memory', 2 ** 17 + 1), 32],
  [pointer('arguments', 0), 32],
  [constant(0x61), 32],
  [constant(0x80), 1],
])('no place for anything: %j, %i bytes', (address, size) => {
  expect(() => placeOf(address, size)).toThrow(Unspecialised)
})

test('of the first words all but the zero slot may be written', () => {
  const at = (start: number) => ({ space: 'scratch', start }) as const
  expect(read(FRESH, at(0x40), 32, algebra, known)).toEqual(pointer('memory', 0))
  const memory = write(FRESH, at(0x40), 32, constant(7))
  expect(read(memory, at(0x40), 32, algebra, known)).toEqual(constant(7))
  expect(() => write(FRESH, at(0x41), 32, constant(7))).toThrow('zero slot')
})

test('a word at one of several addresses is a table, of which only the bytes known in all can be used', () => {
  let memory: Memory = FRESH
  for (let i = 0; i < 258; i++) memory = write(memory, free(32 * i), 32, constant(i))
  const at = (text: string, high: bigint) => {
    const translation = new Translation()
    const atoms = {
      m: { kind: 'address', region: 'memory', offset: 257 * 32 },
      n: { kind: 'address', region: 'memory', offset: 0 },
      v: { kind: 'variable', name: 'v', range: { low: 0n, high } },
    } as const
    return load(memory, translation.value(expression(text, atoms)), translation.algebra, translation)
  }
  expect(at('ADD(n,MUL(v,32))', 255n)).toMatchObject({ op: 'TABLE' })
  expect(() => at('ADD(n,MUL(v,32))', 256n)).toThrow('wide index')
  expect(() => at('ADD(m,MUL(v,32))', 1n)).toThrow('did not write')
  expect(at('ADD(m,MUL(v,8))', 1n)).toMatchObject({ kind: 'partial', bytes: 24, word: { op: 'TABLE' } })
})
