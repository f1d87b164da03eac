import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeContentHash } from '../../lib/domain/content-hash.ts'
import { createEngine } from '../../lib/engine/engine.ts'
import { type ClosedForm, TWO_32 } from '../../lib/engine/leap/form.ts'
import { stepByForm } from '../../lib/engine/leap/leap.ts'
import { leapTo } from '../../lib/engine/sequence/far.ts'
import { compileLoop, compileStep } from '../../lib/engine/sequence/loop.ts'
import { specialise } from '../../lib/engine/specialise/specialise.ts'
import type { Translators } from '../../lib/engine/steps/translators.ts'
import type { SpecialisedStep } from '../../lib/engine/types.ts'
import { contiguous, type Indices, indicesOf } from '../../lib/engine/walk/indices.ts'
import { Allowance } from '../../lib/engine/work.ts'
import { createExactEngine } from '../../lib/simulator/exact-engine.ts'
import { Shelf } from '../support/definitions.ts'
import { runtimeOf } from './compiled-bodies.ts'

const LIMITS = { steps: 20_000_000, gas: 2_000_000_000n, milliseconds: 30_000 }
const LAST = TWO_32 - 1

const WHEEL = 'return (x + args[0]) % args[1];'
const CONGRUENCE = 'unchecked { return x * 1664525 + 1013904223; }'
const LEHMER = 'return uint32((uint64(x) * 48271) % 2147483647);'
const XORSHIFT = 'x ^= x << 13; x ^= x >> 17; x ^= x << 5; return x;'
const ADD = 'return x + args[0];'
const SUBTRACT = 'return x - args[0];'

/** Bodies and what kind of form they have. */
const KNOWN: readonly [kind: ClosedForm['kind'] | undefined, body: string, args: readonly number[]][] = [
  ['shift', ADD, [7]],
  ['shift', SUBTRACT, [100]],
  ['shift', 'return x;', []],
  ['shift', 'require(x < args[0], "too large"); return x + 1;', [1000]],
  ['modular', CONGRUENCE, []],
  ['modular', 'return uint32((uint256(x) * 1103515245 + 12345) % 2147483648);', []],
  ['modular', LEHMER, []],
  ['modular', 'assembly { x := mulmod(x, 48271, 2147483647) } return x;', []],
  ['modular', WHEEL, [11, 4_000_000_000]],
  ['modular', 'unchecked { return (x - args[0]) * 5; }', [9]],
  ['modular', 'return 5;', []],
  ['flips', XORSHIFT, []],
  ['flips', 'return (x << args[0]) | (x >> (32 - args[0]));', [7]],
  ['flips', 'return ~(x ^ (x >> 1) ^ args[0]);', [0x1234_5678]],
  [undefined, 'return x * args[0];', [3]],
  [undefined, 'if (x % 2 == 0) return x / 2; return x + 1;', []],
  [undefined, 'if (x > 100) return x / 2; return x;', []],
  [undefined, 'unchecked { return x * x + 1; }', []],
  [undefined, 'return x ^ (x + 1);', []],
]

describe('the form of a step', () => {
  test.each(KNOWN)('%s: %s', (kind, body, args) => {
    const step = specialise(runtimeOf(body), args)
    if ('declined' in step) throw new Error(step.declined)
    expect(step.form?.kind).toBe(kind)
    if (step.form === undefined) return
    const [byText, byForm] = [compileStep(step.source), stepByForm(step.form)]
    const numbers = fc.sample(anyNumber, { numRuns: 300, seed: 7 })
    for (const x of [0, 99, 100, 999, 1000, LAST - 11, LAST - 7, LAST - 6, LAST, ...numbers]) {
      expect([x, byForm(x)]).toEqual([x, byText(x, { steps: 1 })])
    }
  })
})

const anyNumber = fc.oneof(
  fc.nat(300),
  fc.integer({ min: 0, max: LAST }),
  fc.integer({ min: LAST - 300, max: LAST }),
)

/** Forms of one family, and the same steps as text that knows nothing of them. */
const anySteps: fc.Arbitrary<SpecialisedStep[]> = fc.oneof(
  fc
    .oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: TWO_32 }), fc.constant(TWO_32))
    .chain((modulus) => {
      const below = fc.integer({ min: 0, max: modulus - 1 })
      const one = fc.record({
        kind: fc.constant('modular' as const),
        modulus: fc.constant(modulus),
        factor: below,
        offset: below,
        high: fc.integer({ min: modulus - 1, max: LAST }),
      })
      return listOf(one, (form) => {
        const { factor, offset, high } = form
        return `(x) => x > ${high} ? -1 : Number((BigInt(x) * ${factor}n + ${offset}n) % ${modulus}n)`
      })
    }),
  listOf(
    fc.tuple(anyNumber, anyNumber, fc.integer({ min: -40, max: 40 })).map(([one, other, by]) => ({
      kind: 'shift' as const,
      by,
      low: Math.max(Math.min(one, other), -by, 0),
      high: Math.min(Math.max(one, other), LAST - by),
    })),
    ({ by, low, high }) => `(x) => x < ${low} || x > ${high} ? -1 : x + ${by}`,
  ),
  listOf(
    fc.record({
      kind: fc.constant('flips' as const),
      masks: fc.array(fc.integer({ min: 0, max: LAST }), { minLength: 32, maxLength: 32 }),
      constant: fc.integer({ min: 0, max: LAST }),
    }),
    ({ masks, constant }) =>
      `(x) => { let y = ${constant}; const masks = [${masks}]; for (let i = 0; i < 32; i++) if ((x >>> i) & 1) y ^= masks[i]; return y >>> 0 }`,
  ),
)

function listOf<F extends ClosedForm>(
  form: fc.Arbitrary<F>,
  text: (form: F) => string,
): fc.Arbitrary<SpecialisedStep[]> {
  const step = form.map((one): SpecialisedStep => ({ form: one, source: text(one) }))
  return fc.array(step, { minLength: 1, maxLength: 4 })
}

const anyIndices: fc.Arbitrary<Indices> = fc.oneof(
  fc.tuple(fc.nat(200), fc.integer({ min: 1, max: 40 })).map(([first, count]) => contiguous(first, count)),
  fc.array(fc.nat(200), { minLength: 1, maxLength: 20 }).map((list) => indicesOf(Uint32Array.from(list))),
)

test('leaps come to what steps come to, and revert where they do', () => {
  let reverted = 0
  fc.assert(
    fc.property(anySteps, anyNumber, anyIndices, (steps, start, indices) => {
      const loop = compileLoop(steps)
      const values = new Uint32Array(indices.max + 1)
      values[0] = start
      const made = loop.fill(start, values, 1, indices.max, 0, { steps: 1 })
      const out = new Uint32Array(indices.count)
      const found = leapTo(loop, loop.leap!, start, indices.max, indices, out, new Allowance(LIMITS))
      expect(found).toBe(made < indices.max ? made + 1 : undefined)
      reverted += found === undefined ? 0 : 1
      if (found !== undefined) return
      const wanted = indices.list ?? out.map((_, i) => indices.first + i)
      expect([...out]).toEqual([...wanted].map((index) => values[index]))
    }),
    { seed: 7, numRuns: 1500 },
  )
  expect(reverted).toBeGreaterThan(200)
})

describe('connectors that are led to by numbers in the billions', () => {
  const exact = createExactEngine()
  const engine = createEngine({ exact, translators: { specialise } })
  const stepping: Translators['specialise'] = (code, args) => {
    const step = specialise(code, args)
    return 'declined' in step ? step : { source: step.source }
  }
  const slow = createEngine({ exact, translators: { specialise: stepping } })
  const shelf = new Shelf()
  let made = 0

  /** What calls in turn give from a start, at each of the indices. */
  const runAt = async (
    calls: readonly (readonly [body: string, ...args: number[]])[],
    start: number,
    indices: readonly number[],
    by = engine,
  ) => {
    const name = `leap${made++}`
    const transformations = calls.map(([body, ...args]) => {
      const runtime = `0x${Buffer.from(runtimeOf(body)).toString('hex')}` as const
      const code = `body${Buffer.from(body).toString('hex')}`.slice(0, 200)
      const contentHash = codeContentHash('transformation', code, args.length, runtime)
      shelf.add({ kind: 'transformation', name: code, argsCount: args.length, runtime, contentHash })
      return { name: code, args }
    })
    shelf.connector({
      name,
      dimensions: [{ transformations }],
      static_ri: { 1: { start_point: start, transformation_shift: 0 } },
    })
    const outcomes = []
    for (const index of indices) {
      const root = shelf.connector({
        name: `${name}at${index}`,
        dimensions: [{ composite: name }],
        static_ri: { 1: { start_point: index, transformation_shift: 0 } },
      })
      outcomes.push(
        await by.run(
          { root: root.contentHash, artifacts: shelf.all(), particlesCount: 2, dynamicRi: [] },
          LIMITS,
        ),
      )
    }
    return outcomes.map((one) => (one.status === 'returned' ? one.particles[0]!.data[1] : one))
  }

  const power = (base: bigint, exponent: number, modulus: bigint) => {
    let result = 1n
    for (const bit of exponent.toString(2)) {
      result = (result * result * (bit === '1' ? base : 1n)) % modulus
    }
    return result
  }
  const INDICES = [0, 1, 4_194_304, 4_000_000_000, 3_999_999_999, LAST]

  test('by formulas that others found', async () => {
    const lehmer = INDICES.map((k) => Number((77n * power(48271n, k, 2147483647n)) % 2147483647n))
    expect(await runAt([[LEHMER]], 77, INDICES)).toEqual(lehmer)
    const [a, c, m] = [1664525n, 1013904223n, 2n ** 32n]
    const congruence = INDICES.map((k) => {
      const sum = (power(a, k, m * (a - 1n)) - 1n) / (a - 1n)
      return Number((power(a, k, m) * 5n + sum * c) % m)
    })
    expect(await runAt([[CONGRUENCE]], 5, INDICES)).toEqual(congruence)
    // Its period is 2^32 - 1.
    expect(await runAt([[XORSHIFT]], 99, [LAST])).toEqual([99])
    const wheels = INDICES.map((k) =>
      Number((BigInt(k) * 11n + BigInt(Math.ceil(k / 2)) * 2n) % 4_000_000_000n),
    )
    expect(
      await runAt(
        [
          [WHEEL, 13, 4_000_000_000],
          [WHEEL, 11, 4_000_000_000],
        ],
        0,
        INDICES,
      ),
    ).toEqual(wheels)
  })

  test('counting up and down, to where it reverts', async () => {
    expect(await runAt([[ADD, 1]], 0, INDICES)).toEqual(INDICES)
    const revertData = `0x4e487b71${(0x11).toString(16).padStart(64, '0')}`
    expect(await runAt([[ADD, 1]], 5, [LAST - 5, LAST - 4])).toEqual([
      LAST,
      { status: 'reverted', revertData },
    ])
    expect(
      await runAt(
        [
          [SUBTRACT, 2],
          [ADD, 1],
        ],
        LAST,
        [4_000_000_000],
      ),
    ).toEqual([LAST - 2_000_000_000])
    expect(await runAt([[SUBTRACT, 1]], 4_200_000, [4_200_001])).toEqual([{ status: 'reverted', revertData }])
  })

  test('as steps come to them', async () => {
    const far = [4_194_304, 4_194_305, 5_555_555]
    for (const calls of [[[CONGRUENCE]], [[XORSHIFT], ['return ~(x ^ (x >> 1) ^ args[0]);', 7]]] as const) {
      expect(await runAt(calls, 3, far)).toEqual(await runAt(calls, 3, far, slow))
    }
  })

  test('not where calls are of two kinds: that ends at the limit of steps', async () => {
    const mixed = [[XORSHIFT], [CONGRUENCE]] as const
    expect(await runAt(mixed, 3, [4_000_000_000])).toEqual([{ status: 'exhausted', limit: 'steps' }])
  })
})
