import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExactEngine } from '#lib/compute/simulator/exact-engine.ts'
import { createEngine, type Engine, translators } from '#lib/engine/engine.ts'
import type { RunRequest } from '#lib/engine/run.ts'
import type { Translators } from '#lib/engine/types.ts'
import type { BuiltArtifact, CodeArtifact } from '#lib/protocol/artifact.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { decodeParticles } from '#lib/protocol/particles.ts'
import { createBrowserEngine } from '#test/support/browser-engine.ts'
import { sharedCompiler } from '#test/support/compiler.ts'
import { runOnReferenceEngine } from '#test/support/reference-engine.ts'
import { startTestRegistry, type TestRegistry } from '#test/support/registry-chain.ts'
import { drawn, SEED } from '#test/support/slice.ts'
import { CONDITIONS, Reverted, TRANSFORMATIONS } from './bodies.ts'
import { Model, TooMuchWork } from './model.ts'
import { type Network, networks, type Run, renamed } from './networks.ts'

/** Runs of random connectors to compare, ten to a network: the last one may add a few. */
const CASES = drawn(80)
const GAS_LIMIT = 500_000_000n

/** One answer in a form that compares byte for byte. */
type Answer = { readonly particles: readonly [string, string][] } | { readonly revertData: Hex }

const compiler = sharedCompiler()
const exact = createExactEngine()
function engineOf(ways: Translators) {
  return createEngine({ exact, translators: ways })
}
/** By what they may use; what they cannot translate, they too leave to the exact engine. */
const engines: Record<string, Engine> = {
  specialised: engineOf({ ...translators, translate: undefined }),
  translated: engineOf({ ...translators, specialise: undefined }),
  exact: engineOf({}),
  // As if every index were far away: by leaps and by cycles.
  far: createEngine({ exact, translators: { ...translators, translate: undefined }, tableSteps: 2 }),
}
const code = new Map<string, CodeArtifact>()
let chain: TestRegistry

beforeAll(async () => {
  engines.browser = await createBrowserEngine()
  chain = await startTestRegistry()
  for (const [kind, bodies] of [
    ['transformation', TRANSFORMATIONS],
    ['condition', CONDITIONS],
  ] as const) {
    for (const { name, body } of bodies) {
      const artifact = await compiler.compile(kind, name, body)
      code.set(`${kind}/${name}`, artifact)
      await chain.publish(artifact)
    }
  }
})

afterAll(() => chain.close())

test(`model, our engines, the Runner in a local EVM and the chain agree on ${CASES} runs of random connectors (seed ${SEED})`, async () => {
  let network = 0
  let compared = 0
  await fc.assert(
    fc.asyncProperty(networks, async (drawn) => {
      if (compared >= CASES) return
      compared += await compareNetwork(renamed(drawn, `n${network++}`))
    }),
    { seed: SEED, numRuns: Math.ceil((CASES / 10) * 1.4), endOnFailure: false },
  )
  expect(compared, 'too many drawn runs were too large to compare').toBeGreaterThanOrEqual(CASES)
  const { specialised, ...rest } = engines.specialised!.takeCounts()
  expect(specialised).toBeGreaterThan(10)
  expect(rest).toMatchObject({ specialisedWrong: 0, unchecked: 0 })
  const { translated, ...others } = engines.translated!.takeCounts()
  expect(translated).toBeGreaterThan(10)
  expect(others).toMatchObject({ specialisedWrong: 0, translatedWrong: 0, unchecked: 0 })
})

async function compareNetwork(network: Network): Promise<number> {
  const model = new Model()
  const artifacts = new Map<string, BuiltArtifact>(code)
  const lookup = (kind: EntityKind, name: string) => artifacts.get(`${kind}/${name}`)
  for (const definition of network.connectors) {
    model.define(definition)
    const artifact = buildConnector(definition, lookup)
    artifacts.set(`connector/${definition.name}`, artifact)
    await chain.publish(artifact)
  }
  let compared = 0
  for (const run of network.runs) {
    const expected = answerOfModel(model, run)
    if (expected === undefined) continue
    const request = requestOf([...artifacts.values()], run)
    for (const [name, engine] of Object.entries(engines)) {
      expect(await answerOfEngine(engine, request), name).toEqual(expected)
    }
    expect(await answerOfRunner(request), 'the Runner in a local EVM').toEqual(expected)
    expect(await answerOfChain(run), 'chain').toEqual(expected)
    compared++
  }
  return compared
}

function answerOfModel(model: Model, run: Run): Answer | undefined {
  try {
    const streams = model.run(run.connector, run.particlesCount, run.dynamicRi)
    return { particles: streams.map((s) => [s.path, s.data.join()]) }
  } catch (error) {
    if (error instanceof Reverted) return { revertData: error.revertData }
    if (error instanceof TooMuchWork) return undefined
    throw error
  }
}

function requestOf(artifacts: BuiltArtifact[], run: Run): RunRequest {
  const root = artifacts.find((a) => a.kind === 'connector' && a.name === run.connector)!
  return { ...run, root: root.contentHash, artifacts }
}

async function answerOfEngine(engine: Engine, request: RunRequest): Promise<Answer> {
  const outcome = await engine.run(request, { steps: 1e9, gas: GAS_LIMIT, milliseconds: 60_000 })
  if (outcome.status === 'reverted') return { revertData: outcome.revertData }
  if (outcome.status !== 'returned') throw new Error(JSON.stringify(outcome))
  return { particles: outcome.particles.map((s) => [s.path, s.data.join()]) }
}

async function answerOfRunner(request: RunRequest): Promise<Answer> {
  const outcome = await runOnReferenceEngine(request, GAS_LIMIT)
  if (outcome.status === 'reverted') return { revertData: outcome.revertData }
  if (outcome.status !== 'returned') throw new Error(outcome.status)
  return { particles: decodeParticles(outcome.output).map((s) => [s.path, s.data.join()]) }
}

async function answerOfChain(run: Run): Promise<Answer> {
  const answer = await chain.generate(run.connector, run.particlesCount, run.dynamicRi, GAS_LIMIT)
  return answer.ok
    ? { particles: answer.particles.map((s) => [s.path, s.data.join()]) }
    : { revertData: answer.revertData }
}
