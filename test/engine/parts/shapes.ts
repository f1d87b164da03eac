import { deepEqual, equal, ok } from 'node:assert/strict'
import { compileStep } from '../../../lib/engine/sequence/loop.ts'
import { specialise } from '../../../lib/engine/specialise/specialise.ts'
import compiled from '../../fixtures/compiled-bodies.json' with { type: 'json' }
import { PLAUSIBLE_BODIES } from '../plausible-bodies.ts'
import { framedCode } from '../step-programs.ts'
import type { PartCase } from './notation.ts'

/** Blocks of a turn of each loop that stays one, and how often ways come together; all other bodies are laid out in full. */
const SHAPES: Readonly<Record<string, readonly [loops: readonly number[], meetings: number]>> = {
  'parity branch': [[], 1],
  'halve what is large': [[], 1],
  clamp: [[], 2],
  'scale in a packed constant': [[], 1],
  'greatest common divisor': [[2], 0],
  'population count by branch': [[], 32],
  'population count by loop': [[4], 0],
  'square root': [[4], 1],
  'signed distance': [[], 1],
  'cube, modulo': [[], 1],
  'power of an argument': [[], 1],
  'steps of Collatz': [[10], 3],
  'triangle wave': [[], 1],
  Fibonacci: [[3], 0],
  'digit sum': [[3], 0],
  'primality by trial': [[6], 1],
}

function codeOf(body: string): Uint8Array {
  const hex = (compiled as Record<string, string>)[body]!.slice(2)
  return Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16))
}

function sourceOf(code: Uint8Array, args: readonly number[] = []): string | undefined {
  const found = specialise(code, args)
  return 'declined' in found ? undefined : found.source
}

/** A body of opcodes, in hexadecimal digits, and what it makes of x; `undefined` where it is left to others. */
const RAW: readonly (readonly [title: string, hex: string, value: ((x: number) => number) | undefined])[] = [
  ['a loaded word', '604051526040515160010160010360010163ffffffff16', (x) => (1 - x) >>> 0],
  [
    'memory copied within',
    '6040515260206040516020604051015e602060405101516040515163ffffffff1663ffffffff16',
    undefined,
  ],
  ['a byte that is no instruction', '0c', () => -1],
  ['an invalid instruction', 'fe', () => -1],
  ['too few words', '5050505050505050505050', () => -1],
  ['a place known at run time', '56', undefined],
  ['a place that is none', '600056', undefined],
  ['where memory is free is other than zero', '60405115', undefined],
  ['the end of the code', '5000', undefined],
  ['storage', '54', undefined],
]

export const shapeCases: readonly PartCase[] = [
  ...PLAUSIBLE_BODIES.map(({ title, body, args }) => ({
    title: `the shape of ${title}`,
    check: () => {
      const source = sourceOf(codeOf(body), args)
      ok(source !== undefined)
      const [loops, meetings] = SHAPES[title] ?? [[], 0]
      deepEqual(
        [...source.matchAll(/if\(\(n\+=(\d+)\)>255\)/g)].map(([, size]) => Number(size)),
        loops,
      )
      equal(source.match(/for\(;;\)/g)?.length ?? 0, loops.length)
      equal(source.match(/\bM\d+:/g)?.length ?? 0, meetings)
      // What is left of the budget is told at every return of a loop.
      equal(source.includes('budget.steps-=n;return'), loops.length > 0)
      equal(/\bn=0\b/.test(source), loops.length > 0)
    },
  })),
  ...RAW.map(([title, hex, value]) => ({
    title: `opcodes: ${title}`,
    check: () => {
      const source = sourceOf(framedCode([...Buffer.from(hex, 'hex')]))
      if (value === undefined) return equal(source, undefined)
      ok(source !== undefined, 'declined')
      const step = compileStep(source)
      for (const x of [0, 1, 7, 255, 256, 0xffff_fffe]) equal(step(x, { steps: 1000 }), value(x), `of ${x}`)
    },
  })),
  {
    title: 'arguments: so many, and no more',
    check: () => {
      const code = codeOf('return x + args[0];')
      ok('source' in specialise(code, Array(512).fill(7)))
      deepEqual(specialise(code, Array(513).fill(7)), { declined: 'many arguments' })
    },
  },
  {
    title: 'arguments may be parameters of the step',
    check: () => {
      const found = specialise(codeOf('return x + args[0];'), [{ low: 0, high: 0xffff_ffff }])
      ok('source' in found)
      const step = compileStep(found.source) as (x: number, budget: { steps: number }, arg: number) => number
      equal(step(5, { steps: 9 }, 7), 12)
      equal(step(0xffff_ffff, { steps: 9 }, 1), -1)
    },
  },
]
