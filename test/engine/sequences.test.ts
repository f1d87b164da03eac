import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Allowance } from '#lib/engine/allowance.ts'
import { createEngine } from '#lib/engine/engine.ts'
import type { ExactEngine, RunOutcome, RunRequest } from '#lib/engine/run.ts'
import { BudgetExceeded, type Translators } from '#lib/engine/types.ts'
import { exceeded } from '#lib/engine/words.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { type DimensionSketch, Shelf } from '#test/support/definitions.ts'

const LIMITS = { steps: 20_000_000, gas: 1_000_000n, milliseconds: 10_000 }
const UINT32 = 2 ** 32

/**
 * Transformations whose code is a number here: their semantics are defined below, once as JavaScript text, once by
 * hand.
 */
const STEPS: readonly {
  readonly source: (a: number) => string
  readonly step: (x: number, a: number) => number
}[] = [
  { source: (a) => `(x) => (x + ${a}) % 1000`, step: (x, a) => (x + a) % 1000 },
  {
    source: (a) => `(x) => x + ${a} < 4294967296 ? x + ${a} : -1`,
    step: (x, a) => (x + a < UINT32 ? x + a : -1),
  },
  {
    source: (a) => `(x) => x === ${a} ? -1 : (x * 5 + 1) % 8192`,
    step: (x, a) => (x === a ? -1 : (x * 5 + 1) % 8192),
  },
]

const shelf = new Shelf()
const kinds = new Map<number, number>()
STEPS.forEach((_, kind) => {
  const runtime = `0x${(kind + 1).toString(16).padStart(2, '0')}` as const
  const contentHash = codeContentHash('transformation', `t${kind}`, 1, runtime)
  shelf.add({ kind: 'transformation', name: `t${kind}`, argsCount: 1, runtime, contentHash })
  kinds.set(kind + 1, kind)
})

function hex(data: string) {
  return Uint8Array.from(Buffer.from(data, 'hex'))
}
function stepOf(code: Uint8Array) {
  return STEPS[kinds.get(code[0]!)!]!
}
const specialise: Translators['specialise'] = (code, args) => ({
  source: stepOf(code).source(Number(args[0])),
})

/** Answers as an EVM would: any number of steps, reverting with `beef`. */
const exact: ExactEngine = {
  call: async ({ code, calldata }) => {
    const view = new DataView(calldata.buffer)
    const word = (i: number) => view.getUint32(4 + 32 * i + 28)
    const { step } = stepOf(hex(code.runtime.slice(2)))
    const single = view.getUint32(0) === 0x9e26c033
    const cycle = view.getUint32(0) === 0x47ad3e03
    const count = single ? 1 : word(2)
    const lists = cycle ? word(5) : 1
    let x = word(0)
    const values: number[] = []
    for (let made = 0; made < count; made++) {
      x = step(x, single ? word(3) : cycle ? word(6 + ((word(4) + made) % lists)) : word(4))
      if (x < 0) return { status: 'reverted', data: hex('beef'), gasUsed: 1n }
      values.push(x)
    }
    const output = new Uint8Array(single ? 32 : 4 * count)
    const out = new DataView(output.buffer)
    if (single) out.setUint32(28, x)
    else for (const [i, value] of values.entries()) out.setUint32(4 * i, value)
    return { status: 'returned', output, gasUsed: 1n }
  },
}

function call(kind: number, arg: number) {
  return { name: `t${kind}`, args: [arg] }
}
let made = 0
function connector(
  dimensions: readonly DimensionSketch[],
  staticRi: Record<string, [number, number]> = {},
): string {
  const name = `s${made++}`
  const instances = Object.entries(staticRi).map(
    ([position, [start_point, transformation_shift]]) =>
      [position, { start_point, transformation_shift }] as const,
  )
  shelf.connector({ name, dimensions, static_ri: Object.fromEntries(instances) })
  return name
}
function run(name: string, particlesCount: number): RunRequest {
  return {
    root: shelf.lookup('connector', name)!.contentHash,
    artifacts: shelf.all(),
    particlesCount,
    dynamicRi: [],
  }
}
function data(outcome: RunOutcome): number[][] {
  return outcome.status === 'returned'
    ? outcome.particles.map((one) => [...one.data])
    : expect.fail(JSON.stringify(outcome))
}

describe('loops and single calls come to the same', () => {
  const dimension = fc.array(fc.record({ kind: fc.nat(2), arg: fc.nat(9000) }), {
    minLength: 1,
    maxLength: 4,
  })
  const instance = fc.tuple(
    fc.oneof(fc.nat(50), fc.constant(UINT32 - 40)),
    fc.oneof(fc.nat(5), fc.constant(UINT32 - 20)),
  )
  const shape = fc.record({
    parent: dimension,
    child: dimension,
    instances: fc.record({ 0: fc.tuple(fc.nat(4000), fc.constant(0)), 1: instance }, { requiredKeys: [] }),
    count: fc.integer({ min: 1, max: 40 }),
  })

  test('for random parents and children', async () => {
    const loops = createEngine({ exact, translators: { specialise } })
    const calls = createEngine({ exact, translators: {} })
    let compared = 0
    await fc.assert(
      fc.asyncProperty(shape, async ({ parent, child, instances, count }) => {
        const dimensionOf = (steps: typeof parent) => ({
          transformations: steps.map(({ kind, arg }) => call(kind, arg)),
        })
        const composite = connector([dimensionOf(child)])
        const request = run(connector([{ ...dimensionOf(parent), composite }], instances), count)
        const expected = await calls.run(request, { ...LIMITS, steps: 50_000 })
        if (expected.status === 'exhausted') return
        compared += 1
        expect(await loops.run(request, LIMITS)).toEqual(expected)
      }),
      { seed: 7, numRuns: 60 },
    )
    expect(compared).toBeGreaterThan(30)
    expect(loops.takeCounts()).toMatchObject({ specialisedWrong: 0 })
  })
})

describe('indices beyond what can be made', () => {
  const engine = () => createEngine({ exact, translators: { specialise } })

  test('a sequence that comes round is known for ever', async () => {
    const turning = connector([
      { transformations: [call(0, 7)] },
      { transformations: [call(0, 1), call(0, 2), call(0, 3)] },
    ])
    // From 4,000,000,000 on, one by one; then every 40,000,000th, in any order.
    const late = data(
      await engine().run(run(connector([{ composite: turning }], { 1: [4_000_000_000, 0] }), 1), LIMITS),
    )
    expect(late).toEqual([[0], [cycled(4_000_000_000)]])

    const leaps = connector([{ transformations: [call(1, 40_000_000)], composite: turning }], { 1: [9, 0] })
    const [single, turns] = data(await engine().run(run(leaps, 100), LIMITS))
    const indices = Array.from({ length: 100 }, (_, i) => 9 + 40_000_000 * i)
    expect(single).toEqual(indices.map((index) => (7 * index) % 1000))
    expect(turns).toEqual(indices.map(cycled))
  })

  const cycled = (index: number) => (6 * Math.floor(index / 3) + [0, 1, 3][index % 3]!) % 1000

  test('a tail before the cycle is not taken for part of it', async () => {
    const far = connector([{ transformations: [call(2, 9000)] }])
    const request = run(connector([{ composite: far }], { 1: [3_000_000_000, 0] }), 3)
    let x = 0
    // x -> 5x + 1 goes through all of 0 … 8191.
    for (let i = 0; i < 3_000_000_000 % 8192; i++) x = (x * 5 + 1) % 8192
    expect(data(await engine().run(request, LIMITS))).toEqual([[x, x, x]])
  })

  test('one that does not come round ends at the limit of steps, and where it reverts sooner, with that', async () => {
    const far = (start: number) => run(connector([{ composite: climbing }], { 1: [start, 0] }), 2)
    const climbing = connector([{ transformations: [call(1, 1)] }])
    expect(await engine().run(far(4_000_000_000), LIMITS)).toEqual({ status: 'exhausted', limit: 'steps' })
    const steep = connector([{ transformations: [call(1, 1000)] }])
    const request = run(connector([{ composite: steep }], { 1: [4_294_968, 0] }), 1)
    expect(await engine().run(request, LIMITS)).toEqual({ status: 'reverted', revertData: '0xbeef' })
  })

  test('the steps before a turn that cannot be counted do run', async () => {
    const turns = (arg: number) =>
      connector([{ transformations: [call(1, arg), call(1, arg)] }], { 1: [0, UINT32 - 3] })
    const panic = `0x4e487b71${(0x11).toString(16).padStart(64, '0')}`
    expect(await engine().run(run(turns(1), 9), LIMITS)).toEqual({ status: 'reverted', revertData: panic })
    expect(await engine().run(run(turns(3_000_000_000), 9), LIMITS)).toEqual({
      status: 'reverted',
      revertData: '0xbeef',
    })
    expect(data(await engine().run(run(turns(1), 3), LIMITS))).toEqual([[0, 1, 2]])
  })
})

describe('a specialised step that is wrong', () => {
  const request = () => run(connector([{ transformations: [call(0, 3)] }]), 500)
  const right = Array.from({ length: 500 }, (_, i) => (3 * i) % 1000)

  test('is found out at first use', async () => {
    const engine = createEngine({ exact, translators: { specialise: () => ({ source: '(x) => x + 3' }) } })
    expect(data(await engine.run(request(), LIMITS))).toEqual([right])
    expect(engine.takeCounts()).toMatchObject({ specialised: 0, specialisedWrong: 1 })
  })

  test('is found out later where it reverts and should not', async () => {
    // No start of a check is near enough to 400,000 to come across it in a dozen steps.
    const source = '(x) => (x === 400000 || x > 4294966295 ? -1 : x + 1000)'
    const engine = createEngine({ exact, translators: { specialise: () => ({ source }) } })
    const later = () => run(connector([{ transformations: [call(1, 1000)] }]), 500)
    const expected = [Array.from({ length: 500 }, (_, i) => 1000 * i)]
    expect(data(await engine.run(later(), LIMITS))).toEqual(expected)
    expect(engine.takeCounts()).toMatchObject({ specialised: 1, specialisedWrong: 1 })
    expect(data(await engine.run(later(), LIMITS))).toEqual(expected)
  })
})

describe('limits', () => {
  const climbing = () => run(connector([{ transformations: [call(1, 1)] }]), 60_000)
  const engine = createEngine({ exact, translators: { specialise } })

  test('steps, time and giving up end a run, and the next one is fine', async () => {
    expect(await engine.run(climbing(), { ...LIMITS, steps: 1000 })).toEqual({
      status: 'exhausted',
      limit: 'steps',
    })
    expect(await engine.run(climbing(), { ...LIMITS, milliseconds: -1 })).toEqual({
      status: 'exhausted',
      limit: 'time',
    })
    expect(await engine.run(climbing(), { ...LIMITS, cancelled: () => true })).toMatchObject({
      limit: 'cancelled',
    })
    expect(data(await engine.run(climbing(), LIMITS))[0]![59_999]).toBe(59_999)
  })

  test('a call that does not end is cancelled with its run, and ends with the steps', () => {
    const loop = (cancelledAt: number) => {
      let checks = 0
      const cancelled = () => ++checks >= cancelledAt
      const { budget } = new Allowance({ steps: 20_000_000, gas: 0n, milliseconds: 600_000, cancelled })
      for (let taken = 0; ; taken++) {
        if (taken > 20) throw new Error('no end')
        budget.steps -= 1_000_000
        if (budget.steps < 0) exceeded(budget)
      }
    }
    expect(() => loop(3)).toThrow(expect.objectContaining({ limit: 'cancelled' }))
    expect(() => loop(Infinity)).toThrow(BudgetExceeded)
  })

  test('a step is paid for each, and an eighth of one for a value that is only written', async () => {
    const fresh = createEngine({ exact, translators: { specialise } })
    const status = async (name: string, steps: number) =>
      (await fresh.run(run(name, 8000), { ...LIMITS, steps })).status
    const made = connector([{ transformations: [call(0, 1)] }])
    expect(await status(made, 7998)).toBe('exhausted')
    expect(await status(made, 7999)).toBe('returned')
    expect(await status(connector([{}]), 1000)).toBe('returned')
    expect(await status(connector([{}]), 999)).toBe('exhausted')
  })

  test('values: more than fit are refused before anything is made', async () => {
    const wide = connector(Array.from({ length: 200 }, () => ({})))
    expect(await engine.run(run(wide, 65_536), LIMITS)).toEqual({ status: 'exhausted', limit: 'values' })
  })
})

test('a run needs every artifact', async () => {
  const request = run(connector([{ transformations: [call(0, 3)] }]), 2)
  const root: Hash = request.root
  const alone = { ...request, artifacts: request.artifacts.filter(({ contentHash }) => contentHash === root) }
  const engine = createEngine({ exact, translators: {} })
  await expect(engine.run(alone, LIMITS)).rejects.toThrow('lacks the artifact')
})
