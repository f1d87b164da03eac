import { describe, expect, test } from 'vitest'
import { createExactEngine } from '#lib/compute/simulator/exact-engine.ts'
import type { SimulationRequest } from '#lib/compute/simulator/simulator.ts'
import { createEngine, translators } from '#lib/engine/engine.ts'
import type { RunOutcome } from '#lib/engine/run.ts'
import type { Translators } from '#lib/engine/types.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import { decodeParticles } from '#lib/protocol/particles.ts'
import { sharedCompiler } from '#test/support/compiler.ts'
import { define, Shelf } from '#test/support/definitions.ts'
import { runOnReferenceEngine } from '#test/support/reference-engine.ts'
import { dynamicRiOf, type VectorCase, vectorCases } from '#test/support/vectors.ts'

const compiler = sharedCompiler()
const exact = createExactEngine()
const limits = { steps: 2_000_000_000, gas: 40_000_000_000n, milliseconds: 120_000 }

/** Every way a run can be made, down to the Runner contract itself. */
const engines: Record<string, (request: SimulationRequest) => Promise<object>> = {
  'the Runner in a local EVM': async (request) => {
    const outcome = await runOnReferenceEngine(request, 4_000_000_000n)
    return outcome.status === 'returned'
      ? { status: 'returned', particles: decodeParticles(outcome.output) }
      : outcome
  },
  'our walk over exact calls': overExactCalls({}),
  'our walk over contracts translated as a whole': overExactCalls({ ...translators, specialise: undefined }),
  'our walk as it is': overExactCalls(translators),
}

function overExactCalls(ways: Translators): (request: SimulationRequest) => Promise<RunOutcome> {
  const engine = createEngine({ exact, translators: ways })
  return (request) => engine.run(request, limits)
}

describe.each(Object.entries(engines))('every recorded run: %s', (_name, run) => {
  for (const vector of vectorCases) {
    test(vector.id, async () => {
      for (const { request, expected } of await runsOf(vector)) {
        const outcome = await run(request)
        expect(outcome).toMatchObject(expected)
      }
    })
  }
})

const shelves = new Map<string, Promise<Shelf>>()

/** Compiled once for all engines. */
function shelfOf(vector: VectorCase): Promise<Shelf> {
  const made = shelves.get(vector.id) ?? fillShelf(vector)
  shelves.set(vector.id, made)
  return made
}

async function fillShelf(vector: VectorCase): Promise<Shelf> {
  const shelf = new Shelf()
  for (const { request } of vector.transformations) {
    shelf.add(await compiler.compile('transformation', request.name, request.sol_src))
  }
  for (const { request } of vector.conditions) {
    shelf.add(await compiler.compile('condition', request.name, request.sol_src))
  }
  for (const { request, expected } of vector.connectors) {
    // Refused creations are the domain's and the contracts' tests; a second use of a name must not replace the first.
    if (expected !== undefined) shelf.add(buildConnector(define(request), shelf.lookup))
  }
  return shelf
}

async function runsOf(vector: VectorCase): Promise<{ request: SimulationRequest; expected: object }[]> {
  const shelf = await shelfOf(vector)
  return vector.execute.flatMap((run) => {
    const root = shelf.lookup('connector', run.request.connector_name)
    // Arguments that no request can carry, and unknown names, never reach a simulator.
    if (run.contract_only || root === undefined) return []
    const request = {
      root: root.contentHash,
      artifacts: shelf.all(),
      particlesCount: Number(run.request.particles_count),
      dynamicRi: dynamicRiOf(run.request),
    }
    const expected = run.expected_error
      ? { status: 'reverted', revertData: run.expected_error.revert_data }
      : {
          status: 'returned',
          particles: run.expected?.map(({ path, data }) => ({ path, data: Uint32Array.from(data) })),
        }
    return [{ request, expected }]
  })
}
