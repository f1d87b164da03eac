import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createExactEngine } from '#lib/compute/simulator/exact-engine.ts'
import { explain } from '#lib/compute/simulator/explain.ts'
import { SHOWN_STEPS } from '#lib/compute/simulator/explainer.ts'
import { createSimulatorPool } from '#lib/compute/simulator/pool.ts'
import { createEngine, translators } from '#lib/engine/engine.ts'
import type { RunRequest } from '#lib/engine/run.ts'
import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { CONDITIONS, TRANSFORMATIONS } from '#test/suites/differential/bodies.ts'
import { type Network, networks, type Run } from '#test/suites/differential/networks.ts'
import { sharedCompiler } from '#test/support/compiler.ts'
import { Shelf } from '#test/support/definitions.ts'

/*
 * The explanation of a run must match the run. The simulator is the reference here: it is compared with the chain
 * elsewhere.
 */

const SEED = 51_423
const NETWORKS = 25

const compiler = sharedCompiler()
const engine = createSimulatorPool({
  timeoutMs: 60_000,
  // Runs stop well before the search for the place of a rejection would.
  stepLimit: 5_000,
  gasLimit: 50_000_000n,
  maxQueue: 2000,
  threads: 1,
})
const code = new Map<string, BuiltArtifact>()

beforeAll(async () => {
  for (const [kind, bodies] of [
    ['transformation', TRANSFORMATIONS],
    ['condition', CONDITIONS],
  ] as const) {
    for (const { name, body } of bodies) code.set(`${kind}/${name}`, await compiler.compile(kind, name, body))
  }
})

afterAll(async () => {
  await engine.close()
})

test(`every particle of random runs is explained with its own value, every rejection has a place (seed ${SEED})`, async () => {
  const seen = { particles: 0, start: 0, condition: 0, 'running-instance': 0, step: 0 }
  await fc.assert(
    fc.asyncProperty(networks, async (network) => {
      const artifacts = build(network)
      for (const run of network.runs.slice(0, 4)) {
        const request = requestOf(artifacts, run)
        const result = await engine.simulate(request).catch(() => undefined)
        // Some draws need more than the limits allow.
        if (result === undefined) continue
        if (result.ok) {
          for (const { path, data } of result.particles.slice(-2)) {
            const step = data.length - 1
            const explained = await engine.explain({ ...request, path, step })
            expect(explained.ok && explained.explanation.value).toBe(data[step])
            if (explained.ok) expectChain(explained.explanation.dimensions)
            seen.particles += 1
          }
        } else {
          const { revertData } = result.rejection
          const place = await engine.locate({ ...request, revertData })
          expect(place, JSON.stringify([result.rejection, run])).toBeDefined()
          seen[place!.kind] += 1
        }
      }
    }),
    { seed: SEED, numRuns: NETWORKS, endOnFailure: true },
  )
  // What was not met was not tested.
  expect(
    Object.values(seen).every((count) => count > 0),
    JSON.stringify(seen),
  ).toBe(true)
})

function build(network: Network): Map<string, BuiltArtifact> {
  const artifacts = new Map(code)
  const lookup = (kind: EntityKind, name: string) => artifacts.get(`${kind}/${name}`)
  for (const definition of network.connectors) {
    artifacts.set(`connector/${definition.name}`, buildConnector(definition, lookup))
  }
  return artifacts
}

function requestOf(artifacts: ReadonlyMap<string, BuiltArtifact>, run: Run) {
  return {
    root: artifacts.get(`connector/${run.connector}`)!.contentHash,
    artifacts: [...artifacts.values()],
    particlesCount: run.particlesCount,
    dynamicRi: run.dynamicRi,
  }
}

type Dimensions = Extract<
  Awaited<ReturnType<typeof engine.explain>>,
  { ok: true }
>['explanation']['dimensions']

/** Each value is the next index, each step begins where the one before ended. */
function expectChain(dimensions: Dimensions): void {
  for (const [at, { steps, value, index, runningInstance }] of dimensions.entries()) {
    if (at > 0) expect(index).toBe(dimensions[at - 1]!.value)
    expect(steps.length).toBeLessThanOrEqual(SHOWN_STEPS)
    for (const [number, step] of steps.entries()) {
      if (number > 0) expect(step.before).toBe(steps[number - 1]!.after)
    }
    if (steps.length > 0) expect(steps.at(-1)).toMatchObject({ number: index, after: value })
    if (steps.length === index && index > 0) expect(steps[0]!.before).toBe(runningInstance.startPoint)
  }
}

describe('places', () => {
  const shelf = new Shelf()
  const locateIn = async (name: string, particlesCount = 8, dynamicRi: Run['dynamicRi'] = []) => {
    const root = shelf.lookup('connector', name)!.contentHash
    const request = { root, artifacts: shelf.all(), particlesCount, dynamicRi }
    const result = await engine.simulate(request)
    if (result.ok) throw new Error('the run was not rejected')
    return engine.locate({ ...request, revertData: result.rejection.revertData })
  }
  const ri = (position: number, startPoint: number, transformationShift = 0) => ({
    position,
    startPoint,
    transformationShift,
  })

  beforeAll(async () => {
    const bodies = [
      ['transformation', 'Plus', 'return x + args[0];'],
      ['transformation', 'Picky', 'require(x != 6, "not six"); return x;'],
      [
        'transformation',
        'Sized',
        'uint32[] memory a = new uint32[](x + 1); require(a.length != 7); return x + args[0];',
      ],
      ['transformation', 'Gas', 'require(gasleft() > 2000000, "hungry"); return x + 1;'],
      ['condition', 'Never', 'return false;'],
      ['condition', 'Broken', 'revert("broken");'],
    ] as const
    for (const [kind, name, body] of bodies) shelf.add(await compiler.compile(kind, name, body))
    const plus = (amount: number) => ({ name: 'Plus', args: [amount] })
    shelf.connector({ name: 'Guarded', dimensions: [{}], condition_name: 'Never' })
    shelf.connector({ name: 'Broken', dimensions: [{}], condition_name: 'Broken' })
    shelf.connector({ name: 'OverGuarded', dimensions: [{}, { composite: 'Guarded' }] })
    shelf.connector({ name: 'OverBroken', dimensions: [{ composite: 'Broken' }] })
    shelf.connector({
      name: 'Fixed',
      dimensions: [{}, {}],
      static_ri: { '2': { start_point: 1, transformation_shift: 0 } },
    })
    shelf.connector({ name: 'Picking', dimensions: [{ transformations: [plus(2), { name: 'Picky' }] }] })
    shelf.connector({ name: 'Two', dimensions: [{ transformations: [plus(2), plus(1)] }] })
    shelf.connector({ name: 'Early', dimensions: [{ transformations: [plus(4_000_000_000)] }] })
    const sized = (amount: number) => ({ name: 'Sized', args: [amount] })
    shelf.connector({ name: 'Sized', dimensions: [{ transformations: [sized(2)] }] })
    shelf.connector({ name: 'SizedTurns', dimensions: [{ transformations: [sized(1), sized(2)] }] })
    shelf.connector({ name: 'Gas', dimensions: [{ transformations: [{ name: 'Gas' }] }] })
  })

  test('a condition that does not hold, or breaks, at the connector that has it', async () => {
    expect(await locateIn('Guarded')).toEqual({
      kind: 'condition',
      path: '',
      connector: 'Guarded',
      condition: 'Never',
    })
    expect(await locateIn('OverGuarded')).toMatchObject({ kind: 'condition', path: '/OverGuarded:1' })
    expect(await locateIn('OverBroken')).toMatchObject({ kind: 'condition', condition: 'Broken' })
  })

  test('an override of what is fixed', async () => {
    expect(await locateIn('Fixed', 3, [ri(2, 9)])).toEqual({
      kind: 'running-instance',
      path: '/Fixed:1',
      position: 2,
      connector: 'Fixed',
      dimension: 1,
    })
  })

  test('indices that do not fit', async () => {
    expect(await locateIn('Two', 8, [ri(0, 4_294_967_290)])).toEqual({ kind: 'start' })
  })

  test('a shift too large to count turns from', async () => {
    expect(await locateIn('Two', 8, [ri(1, 0, 4_294_967_290)])).toMatchObject({
      kind: 'running-instance',
      path: '/Two:0',
    })
  })

  test('the step, the call and its input', async () => {
    // 0 2 2 4 4 6, and the sixth step refuses six.
    expect(await locateIn('Picking', 20)).toMatchObject({ kind: 'step', step: 6, call: 1, x: 6 })
    expect(await locateIn('Early', 400)).toMatchObject({ kind: 'step', step: 2, call: 0, x: 4_000_000_000 })
  })

  test('the step of a body that is called for several steps at once', async () => {
    expect(await locateIn('Sized', 300)).toMatchObject({ kind: 'step', step: 4, call: 0, x: 6 })
    // 0 1 3 4 6
    expect(await locateIn('SizedTurns', 300)).toMatchObject({ kind: 'step', step: 5, call: 0, x: 6 })
  })

  test('an index in the billions of a sequence that repeats', async () => {
    const exact = createEngine({ exact: createExactEngine(), translators })
    const limits = { steps: 1_000_000, gas: 50_000_000n, milliseconds: 30_000 }
    const fast = {
      run: (request: RunRequest) => exact.run(request, limits),
      locate: (request: RunRequest) => exact.locate(request, limits),
    }
    shelf.add(code.get('transformation/wheel')!)
    shelf.connector({
      name: 'Wheel',
      dimensions: [{ transformations: [{ name: 'wheel', args: [1, 1000] }] }],
    })
    const root = shelf.connector({ name: 'Far', dimensions: [{ composite: 'Wheel' }] }).contentHash
    const dynamicRi = [ri(1, 4_000_000_000), ri(2, 5)]
    const request = { root, artifacts: shelf.all(), dynamicRi, path: '/Far:0/Wheel:0', step: 0 }
    const explained = await explain(request, fast)
    if ('status' in explained || !explained.ok) throw new Error(JSON.stringify(explained))
    expect(explained.explanation.value).toBe(5)
    expectChain(explained.explanation.dimensions)
  })

  test('none when it is unknowable: a body may read the gas that is left', async () => {
    expect(await locateIn('Gas', 3000).catch(() => undefined)).toBeUndefined()
  })
})
