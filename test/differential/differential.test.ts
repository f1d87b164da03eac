import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Artifact, CodeArtifact } from '../../lib/domain/artifact.ts'
import { buildConnector } from '../../lib/domain/creation-checks.ts'
import type { EntityKind } from '../../lib/domain/entity.ts'
import { createSimulatorPool } from '../../lib/simulator/pool.ts'
import { createCompilerPool } from '../../lib/solidity/pool.ts'
import { startTestRegistry, type TestRegistry } from '../support/registry-chain.ts'
import { CONDITIONS, Reverted, TRANSFORMATIONS } from './bodies.ts'
import { Model, TooMuchWork } from './model.ts'
import { type Network, networks, type Run, renamed } from './networks.ts'

/** Runs of random connectors to compare; ten to a network. */
const CASES = Number(process.env.DIFFERENTIAL_CASES ?? 200)
const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 20_261)
const GAS_LIMIT = 500_000_000n

/** One answer in a form that compares byte for byte. */
type Answer = { readonly particles: readonly [string, string][] } | { readonly revertData: Hex }

const compiler = createCompilerPool({ timeoutMs: 30_000, maxQueue: 100, threads: 1 })
const simulator = createSimulatorPool({ timeoutMs: 60_000, gasLimit: GAS_LIMIT, maxQueue: 100, threads: 1 })
const code = new Map<string, CodeArtifact>()
let chain: TestRegistry

beforeAll(async () => {
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
}, 120_000)

afterAll(async () => {
  await Promise.all([compiler.close(), simulator.close(), chain.close()])
})

test(
  `model, reference engine and chain agree on ${CASES} runs of random connectors (seed ${SEED})`,
  async () => {
    let network = 0
    let compared = 0
    await fc.assert(
      fc.asyncProperty(networks, async (drawn) => {
        compared += await compareNetwork(renamed(drawn, `n${network++}`))
      }),
      { seed: SEED, numRuns: Math.ceil((CASES / 10) * 1.4), endOnFailure: false },
    )
    expect(compared, 'too many drawn runs were too large to compare').toBeGreaterThanOrEqual(CASES)
  },
  60_000 + CASES * 1_000,
)

async function compareNetwork(network: Network): Promise<number> {
  const model = new Model()
  const artifacts = new Map<string, Artifact>(code)
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
    expect(await answerOfSimulator([...artifacts.values()], run), 'reference engine').toEqual(expected)
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

async function answerOfSimulator(artifacts: Artifact[], run: Run): Promise<Answer> {
  const root = artifacts.find((a) => a.kind === 'connector' && a.name === run.connector)!
  const result = await simulator.simulate({ ...run, root: root.contentHash, artifacts })
  return result.ok
    ? { particles: result.particles.map((s) => [s.path, s.data.join()]) }
    : { revertData: result.rejection.revertData }
}

async function answerOfChain(run: Run): Promise<Answer> {
  const answer = await chain.generate(run.connector, run.particlesCount, run.dynamicRi, GAS_LIMIT)
  return answer.ok
    ? { particles: answer.particles.map((s) => [s.path, s.data.join()]) }
    : { revertData: answer.revertData }
}
