import { describe, expect, it } from 'vitest'
import { compileStep } from '#lib/engine/sequence/loop.ts'
import { cycleCalldata, rangeCalldata, runCalldata } from '#lib/engine/sequence/runner-calls.ts'
import { specialise } from '#lib/engine/specialise/specialise.ts'
import { type Budget, BudgetExceeded } from '#lib/engine/types.ts'
import * as h from '#lib/engine/words.ts'
import { createMachine, type Machine } from '#test/support/machine.ts'
import { compile, runtimeOf } from './compiled-bodies.ts'
import {
  BODIES_THAT_LOOK_AROUND,
  MOST_CHARACTERS,
  needlessHelpers,
  PLAUSIBLE_BODIES,
  type PlausibleBody,
} from './plausible-bodies.ts'
import { framedCode } from './step-programs.ts'

type Step = (x: number, budget: Budget) => number

const EDGES = [
  0, 1, 2, 3, 7, 47, 48, 72, 99, 100, 255, 65_536, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff,
]
const ADDRESS = `0x${'a'.repeat(40)}` as const

function stepOf({ body, args }: PlausibleBody): Step | string {
  const step = specialise(runtimeOf(body), args)
  return 'declined' in step ? step.declined : (new Function('h', `return ${step.source}`)(h) as Step)
}

function specialised(body: PlausibleBody): Step {
  const step = stepOf(body)
  if (typeof step === 'string') throw new Error(`${body.title} declined: ${step}`)
  return step
}

async function machineWith(body: PlausibleBody): Promise<Machine> {
  const machine = await createMachine([], 100_000_000n)
  await machine.put(ADDRESS, `0x${Buffer.from(runtimeOf(body.body)).toString('hex')}`)
  return machine
}

/** Answer of a call, as numbers of so many bytes; none when it reverts. */
async function ask(machine: Machine, calldata: Uint8Array, size: number): Promise<number[]> {
  const outcome = await machine.call(ADDRESS, `0x${Buffer.from(calldata).toString('hex')}`)
  if (outcome.status !== 'returned') return []
  const bytes = Buffer.from(outcome.output)
  return Array.from({ length: bytes.length / size }, (_, i) => bytes.readUInt32BE((i + 1) * size - 4))
}

/** Answer of the specialised step to the same call. */
function follow(step: Step, x: number, count: number): number[] {
  const values: number[] = []
  for (let value = x; values.length < count; values.push(value)) {
    value = step(value, { steps: 1_000_000 })
    if (value < 0) return []
  }
  return values
}

/** A body of opcodes, in hexadecimal digits, and what it makes of x; `undefined` where it is left to others. */
const OPCODES: readonly (readonly [what: string, hex: string, value: ((x: number) => number) | undefined])[] =
  [
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

describe('the bodies of the tests', () => {
  it('are what the compiler makes of them today', () => {
    const { body } = PLAUSIBLE_BODIES[0]!
    expect(`0x${Buffer.from(runtimeOf(body)).toString('hex')}`).toBe(compile(body))
  })
})

describe('specialise', () => {
  it.each(PLAUSIBLE_BODIES)('says what the EVM says: $title', async (body) => {
    const step = specialised(body)
    const machine = await machineWith(body)
    const random = Array.from(
      { length: 6 },
      (_, i) => Math.imul(body.body.length + i, 2_654_435_761) >>> (4 * i),
    )
    for (const x of [...EDGES, ...random]) {
      expect([x, ...follow(step, x, 1)]).toEqual([x, ...(await ask(machine, runCalldata(x, body.args), 32))])
    }
    for (const x of [1, 60, 0xffff_fff0]) {
      expect(follow(step, x, 4)).toEqual(await ask(machine, rangeCalldata(x, body.args, 4), 4))
      if (body.args.length === 0) continue
      const cycle = cycleCalldata(x, [body.args, body.args], 3, 1)
      expect(follow(step, x, 3)).toEqual(await ask(machine, cycle, 4))
    }
  })

  it.each(BODIES_THAT_LOOK_AROUND)('leaves to others what sees more than x and arguments: $title', (body) => {
    expect(stepOf(body)).toBeTypeOf('string')
  })

  it.each(OPCODES)('takes from opcodes what they do, or nothing: %s', (_, hex, value) => {
    const found = specialise(framedCode([...Buffer.from(hex, 'hex')]), [])
    if (value === undefined || 'declined' in found) {
      expect([found, value]).toEqual([{ declined: expect.any(String) }, undefined])
      return
    }
    const step = compileStep(found.source)
    for (const x of [0, 1, 7, 255, 256, 0xffff_fffe]) expect(step(x, { steps: 1000 })).toBe(value(x))
  })

  it('takes so many arguments, and no more', () => {
    const code = runtimeOf('return x + args[0];')
    expect(specialise(code, Array(512).fill(7))).toHaveProperty('source')
    expect(specialise(code, Array(513).fill(7))).toEqual({ declined: 'many arguments' })
  })

  it('writes nothing but its own names and numbers', () => {
    const words = new Set(
      PLAUSIBLE_BODIES.flatMap(({ body, args }) => {
        const step = specialise(runtimeOf(body), args)
        return 'declined' in step ? [] : (step.source.match(/[a-z_$][\w$.]*/gi) ?? [])
      }),
    )
    const own =
      /^(?:[vnLMT]\d*|nv\d+|x|budget(?:\.steps)?|h\.[a-z0-9]+|Math\.(?:floor|imul)|let|const|return|if|for|break|continue|n)$/i
    expect([...words].filter((word) => !own.test(word))).toEqual([])
  })

  it('computes ordinary bodies by plain numbers, in little code', () => {
    let characters = 0
    for (const { title, body, args } of PLAUSIBLE_BODIES) {
      const step = specialise(runtimeOf(body), args)
      if ('declined' in step) throw new Error(`${title} declined`)
      expect.soft(needlessHelpers(title, step.source), title).toEqual([])
      characters += step.source.length
    }
    expect(characters).toBeLessThanOrEqual(MOST_CHARACTERS)
  })

  it('takes the turns of its loops from the budget', () => {
    const step = specialised(PLAUSIBLE_BODIES.find(({ title }) => title === 'primality by trial')!)
    const budget = { steps: 1_000_000 }
    expect(step(1_000_003, budget)).toBe(1)
    expect(budget.steps).toBeLessThan(1_000_000 - 1000)
    expect(() => step(4_294_967_291, { steps: 1000 })).toThrow(BudgetExceeded)
  })

  it('gives up on code without end or sense within its bounds', () => {
    const answer = [0x63, 0xff, 0xff, 0xff, 0xff, 0x16, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3]
    const codes = [
      [],
      // A table negated again and again.
      [0x7f, ...Array(32).fill(0xab), 0x60, 0x04, 0x35, 0x60, 0xff, 0x16, 0x1c, ...Array(20_000).fill(0x19)],
      // Conditions made of conditions.
      [0x60, 0x04, 0x35, 0x60, 0x09, 0x10, ...Array(5000).fill([0x80, 0x60, 0x04, 0x35, 0x16, 0x17]).flat()],
      // Sums of sums, products of products.
      [0x60, 0x04, 0x35, ...Array(8000).fill([0x60, 0x01, 0x01]).flat(), ...answer],
      [0x60, 0x04, 0x35, ...Array(8000).fill([0x80, 0x02]).flat(), ...answer],
      // A branch on x between any two instructions.
      Array.from({ length: 1500 }, (_, i) => {
        const next = i * 14 + 13
        const target = [next >> 8, next & 0xff]
        return [0x60, 0x04, 0x35, 0x80, 0x61, i >> 8, i & 0xff, 0x10, 0x61, ...target, 0x57, 0x02, 0x5b]
      }).flat(),
    ]
    for (const code of codes) expect(specialise(Uint8Array.from(code), [1])).toHaveProperty('declined')
  })

  it.each([
    ['the cursor goes on by eight bytes', /60e01b8152604084905260040191/, '60e01b8152604084905260080191'],
    [
      'free memory is put elsewhere between steps',
      /60e01b8152604084905260040191/,
      '60e01b8152602084905260040191',
    ],
    ['another part of the value is stored', /60e01b8152604084905260040191/, '60d81b8152604084905260040191'],
    ['the last value is another part', /60e01b815260046044/, '60d81b815260046044'],
    ['it returns as many bytes as another word says', /60046044/, '60046064'],
    ['`run` returns more bits', /63ffffffff165f5260205ff3/, '64ffffffffff165f5260205ff3'],
    ['the lists of `cycle` are told by another word', /608435/, '604435'],
    ['the lists of `cycle` end elsewhere', /9060051b84010194/, '9060061b84010194'],
    ['the arguments begin elsewhere', /602487019485/, '604487019485'],
    ['`range` is another', /f4d649f7/, 'f4d649f8'],
  ])('leaves a frame alone of which %s', (_, part, changed) => {
    const code = Buffer.from(runtimeOf('return x + args[0];')).toString('hex')
    expect(specialise(Buffer.from(code, 'hex'), [7])).toHaveProperty('source')
    expect(code).toMatch(part)
    expect(specialise(Buffer.from(code.replace(part, changed), 'hex'), [7])).toHaveProperty('declined')
  })

  it('leaves code without the frame of the wrapper alone', () => {
    const noise = Array.from({ length: 24_000 }, (_, i) => Math.imul(i + 1, 2_654_435_761) >>> 24)
    // x + 1, whatever the call.
    const plain = [0x60, 4, 0x35, 0x60, 1, 0x01, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3]
    for (const code of [[0xfe], [0x5f, 0x5f, 0xfd], noise, plain]) {
      expect(specialise(Uint8Array.from(code), [])).toHaveProperty('declined')
    }
  })

  it('ends for code that goes in circles before its first step', () => {
    const circles = ['5b5f56', '5b5f5f56', '5b6004565b5f56', '5b5f505f56', '5b365f575f56', '5b60016040525f56']
    for (const code of circles) {
      expect(specialise(Buffer.from(code, 'hex'), [])).toHaveProperty('declined')
    }
    const opcodes = [0x5b, 0x5b, 0x5f, 0x56, 0x57, 0x80, 0x90, 0x50, 0x35, 0x36, 0x01, 0x15, 0x51, 0x52]
    for (let i = 0; i < 500; i++) {
      const draw = (at: number) => Math.imul(i * 16 + at + 1, 2_654_435_761) >>> 16
      const code = Array.from({ length: 3 + (i % 11) }, (_, at) => opcodes[draw(at) % opcodes.length] ?? 0)
      expect(specialise(Uint8Array.from([0x5b, ...code]), [])).toHaveProperty('declined')
    }
  })
})
