import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { calldataWord, hash } from '../../../lib/engine/specialise/data.ts'
import type { Context } from '../../../lib/engine/specialise/frame.ts'
import { FRESH, load, type Memory, placeOf, read, write } from '../../../lib/engine/specialise/memory.ts'
import { onlyReverts, readProgram } from '../../../lib/engine/specialise/program.ts'
import { constant, pointer, Unspecialised, type Value } from '../../../lib/engine/specialise/value.ts'
import { keccak256, word } from '../../../lib/engine/words.ts'
import { Notation, type PartCase } from './notation.ts'

function declined(run: () => unknown, why?: RegExp): void {
  throws(run, (error) => error instanceof Unspecialised && (why === undefined || why.test(error.message)))
}

/** A sequence that looks random, always the same. */
function numbers(): (below: number) => number {
  let state = 11
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function bytesOf(value: bigint): number[] {
  return Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * (31 - i))) & 0xffn))
}

function wordOf(bytes: readonly number[]): bigint {
  return bytes.reduce((sum, one) => (sum << 8n) | BigInt(one), 0n)
}

function free(start: number) {
  return { space: 'free', start } as const
}
function scratch(start: number) {
  return { space: 'scratch', start } as const
}

/** Written over and over, then read at every place: the bytes of a plain array, or those in front of what was not written. */
function behavesLikeBytes(): void {
  const next = numbers()
  for (let round = 0; round < 60; round++) {
    const notation = new Notation()
    const bytes: (number | undefined)[] = Array(160).fill(undefined)
    let memory: Memory = FRESH
    for (let i = 0; i < 1 + next(7); i++) {
      const value = wordOf(Array.from({ length: 32 }, () => 1 + next(255)))
      const [start, size] = [next(96), next(33)]
      const skip = next(33 - size)
      memory = write(memory, free(start), size, constant(word(value)), skip)
      for (let k = 0; k < size; k++) bytes[start + k] = bytesOf(value)[skip + k]
    }
    for (let at = 0; at < 100; at += 1 + next(5)) {
      const size = round % 2 === 0 ? 32 : 1 + next(32)
      const known = bytes.slice(at, at + size)
      const written = known.includes(undefined) ? known.indexOf(undefined) : size
      const found = () => read(memory, free(at), size, notation.algebra, notation)
      if (written === 0) {
        declined(found, /did not write/)
        continue
      }
      const expected = [...known.slice(0, written), ...Array(32 - written).fill(0)] as number[]
      const value = found()
      if (written < size) {
        ok(value.kind === 'partial', `${written} of ${size} bytes at ${at}`)
        equal(value.bytes, written)
      }
      const complete = value.kind === 'partial' ? value.word : value
      ok(complete.kind === 'constant')
      deepEqual(bytesOf(BigInt(complete.word)), expected, `${size} bytes at ${at}`)
    }
  }
}

function contextOf(code: readonly number[], args: readonly Value[], notation: Notation): Context {
  return {
    program: readProgram(Uint8Array.from(code)),
    args,
    algebra: notation.algebra,
    frame: undefined as never,
  }
}

function positionOf(memory: Memory, { facts }: Notation) {
  return { memory, facts }
}

export const memoryCases: readonly PartCase[] = [
  { title: 'memory behaves like bytes', check: behavesLikeBytes },
  {
    title: 'places of memory, and what is none',
    check: () => {
      deepEqual(placeOf(pointer('memory', 0), 32), free(0))
      deepEqual(placeOf(pointer('memory', 2 ** 17), 32), free(2 ** 17))
      declined(() => placeOf(pointer('memory', 2 ** 17 + 1), 32), /much memory/)
      declined(() => placeOf(pointer('memory', -1), 32), /below/)
      declined(() => placeOf(pointer('arguments', 0), 32), /no place/)
      deepEqual(placeOf(constant(0x60), 32), scratch(0x60))
      declined(() => placeOf(constant(0x61), 32), /no place/)
      deepEqual(placeOf(constant(0x7f), 1), scratch(0x7f))
      declined(() => placeOf(constant(0x80), 1), /no place/)
      const { algebra } = new Notation()
      const index = algebra.terms.fresh('VARIABLE', [], { low: 0n, high: 9n })
      declined(() => placeOf(pointer('memory', 0, index), 32), /run time/)
      declined(() => placeOf(index, 32), /no place/)
    },
  },
  {
    title: 'the first words belong to Solidity: the free pointer may be written, the zero slot may not',
    check: () => {
      const { algebra, facts } = new Notation()
      deepEqual(read(FRESH, scratch(0x40), 32, algebra, { facts }), pointer('memory', 0))
      deepEqual(read(FRESH, scratch(0x60), 32, algebra, { facts }), constant(0))
      declined(() => read(FRESH, scratch(0), 32, algebra, { facts }), /did not write/)
      deepEqual(
        read(write(FRESH, scratch(0x40), 32, constant(7)), scratch(0x40), 32, algebra, { facts }),
        constant(7),
      )
      declined(() => write(FRESH, scratch(0x41), 32, constant(7)), /zero slot/)
      declined(() => write(FRESH, scratch(0x60), 1, constant(7)), /zero slot/)
      equal(write(FRESH, scratch(0x60), 0, constant(7)), FRESH)
    },
  },
  {
    title: 'memory in very many pieces is given up',
    check: () => {
      const memory = (pieces: number): Memory => ({
        scratch: [],
        free: Array.from({ length: pieces }, (_, i) => ({
          start: i,
          end: i + 1,
          word: constant(1),
          skip: 0,
        })),
      })
      equal(write(memory(2047), free(5000), 32, constant(1)).free.length, 2048)
      declined(() => write(memory(2048), free(5000), 32, constant(1)), /much memory/)
    },
  },
  {
    title: 'a word at one of few addresses is a table, and one that is the same everywhere is that word',
    check: () => {
      const notation = new Notation()
      const { algebra } = notation
      const at = (text: string) => notation.value(text)
      let memory: Memory = FRESH
      for (let i = 0; i < 4; i++) memory = write(memory, free(32 * i), 32, constant(10 + i))
      equal(
        notation.show(load(memory, at('ADD(@m0, MUL(0..3, 32))'), algebra, notation)),
        'TABLE(0..3,0)[10,11,12,13]',
      )
      equal(
        notation.show(load(memory, at('ADD(@m0, SHL(5, 1..3))'), algebra, notation)),
        'TABLE(1..3,1)[11,12,13]',
      )
      declined(() => load(memory, at('ADD(@m0, MUL(0..4, 32))'), algebra, notation), /did not write/)
      const same = write(write(FRESH, free(0), 32, constant(7)), free(32), 32, constant(7))
      equal(notation.show(load(same, at('ADD(@m0, MUL(0..1, 32))'), algebra, notation)), '7')
      // The last words reach beyond what was written.
      equal(
        notation.show(load(same, at('ADD(@m32, MUL(0..1, 8))'), algebra, notation)),
        `24 bytes of TABLE(0..1,0)[7,${7n << 64n}]`,
      )
      equal(notation.show(load(same, at('@m32'), algebra, notation)), '7')
    },
  },
  {
    title: 'an index of very many values is given up',
    check: () => {
      const notation = new Notation()
      let memory: Memory = FRESH
      for (let i = 0; i < 257; i++) memory = write(memory, free(32 * i), 32, constant(i))
      const at = (index: string) =>
        load(memory, notation.value(`ADD(@m0, MUL(${index}, 32))`), notation.algebra, notation)
      equal(at('0..255').kind, 'term')
      declined(() => at('0..256'), /wide index/)
      // Of words that are computed, a table has fewer.
      const computed = (count: number) => {
        let of: Memory = FRESH
        for (let i = 0; i < count; i++) of = write(of, free(32 * i), 32, notation.value(`ADD(a, ${i + 1})`))
        return () =>
          load(of, notation.value(`ADD(@m0, MUL(0..${count - 1}, 32))`), notation.algebra, notation)
      }
      equal(computed(32)().kind, 'term')
      declined(computed(33), /many values/)
    },
  },
  {
    title: 'only known bytes of a word can be used',
    check: () => {
      const notation = new Notation()
      const memory = write(FRESH, free(0), 4, constant(word(0x01020304n << 224n)))
      const partial = read(memory, free(0), 32, notation.algebra, notation)
      const apply = (op: string, ...operands: Value[]) =>
        notation.show(notation.algebra.apply(op, operands, notation))
      equal(apply('SHR', constant(224), partial), String(0x01020304))
      declined(() => apply('SHR', constant(223), partial))
      declined(() => apply('SHR', partial, constant(224)))
      declined(() => apply('SHL', constant(224), partial))
      declined(() => apply('ADD', partial, constant(1)))
      declined(() => apply('ISZERO', partial))
      declined(() => apply('SHR', notation.value('a'), partial))
    },
  },
  {
    title: 'hashes of memory',
    check: () => {
      const notation = new Notation()
      const context = contextOf([], [], notation)
      let memory: Memory = FRESH
      for (let i = 0; i < 33; i++) memory = write(memory, free(32 * i), 32, constant(i))
      const hashed = (size: number, of = memory) =>
        hash(context, positionOf(of, notation), pointer('memory', 0), size)
      for (const size of [0, 1, 32, 33, 64, 70, 1024]) {
        const bytes = Uint8Array.from(
          Array.from({ length: 33 }, (_, i) => bytesOf(BigInt(i)))
            .flat()
            .slice(0, size),
        )
        deepEqual(hashed(size), constant(keccak256(bytes)))
      }
      declined(() => hashed(1025), /much/)
      const computed = write(memory, free(32), 32, notation.value('a'))
      equal(notation.show(hashed(64, computed)), 'KECCAK256(64,0,a)')
      deepEqual(hashed(33, computed), constant(keccak256(new Uint8Array(33))))
      declined(() => hashed(64, write(memory, free(32), 32, pointer('memory', 0))))
      declined(() => hashed(64, write(memory, free(32), 32, { kind: 'frame', slot: 0 })))
      declined(() => hash(context, positionOf(memory, notation), constant(0), 32), /did not write/)
    },
  },
  {
    title: 'words of calldata: the arguments, and nothing else',
    check: () => {
      const notation = new Notation()
      const context = contextOf(
        [],
        [5, 6, 7].map((one) => constant(one)),
        notation,
      )
      const at = (address: string) =>
        notation.show(calldataWord(context, positionOf(FRESH, notation), notation.value(address)))
      equal(at('@g0'), '5')
      equal(at('@g64'), '7')
      declined(() => at('@g96'), /outside/)
      declined(() => at('@g-32'), /outside/)
      declined(() => at('@g16'), /outside/)
      declined(() => at('4'), /layout/)
      declined(() => at('@m0'), /run time/)
      declined(() => at('a'), /run time/)
      equal(at('ADD(@g0, MUL(0..2, 32))'), 'TABLE(0..2,0)[5,6,7]')
      declined(() => at('ADD(@g0, MUL(0..3, 32))'), /outside/)
    },
  },
  {
    title: 'code that does nothing but revert',
    check: () => {
      const reverts = (hex: string, start = 0) => onlyReverts(readProgram(Buffer.from(hex, 'hex')), start)
      equal(reverts('5f5ffd'), true)
      equal(reverts('fe'), true)
      equal(reverts(''), true)
      equal(reverts('0c'), true)
      equal(reverts('5f5ff3'), false)
      equal(reverts('00'), false)
      equal(reverts('5f5f57fd'), false)
      // To a place that was just pushed.
      equal(reverts('600456fe5b5f5ffd'), true)
      equal(reverts('600456fe5b5f5ff3'), false)
      equal(reverts('60043556fd'), false)
      equal(reverts('5f6005905600fd'), false)
      equal(reverts(`${'5b'.repeat(39)}fd`), true)
      equal(reverts(`${'5b'.repeat(40)}fd`), false)
      equal(reverts('00fd', 1), true)
      equal(reverts('6100fdfd'), true)
    },
  },
]
