import { createExactEngine } from '#lib/compute/simulator/exact-engine.ts'
import type { SimulationRequest } from '#lib/compute/simulator/simulator.ts'
import { createEngine, translators } from '#lib/engine/engine.ts'
import { decodeParticles } from '#lib/protocol/particles.ts'

/** Values of every leaf of a run. */
export type Values = readonly Uint32Array[]

const GAS = 1_000_000_000_000n

/** The engine of this program, in this thread: a new one knows nothing yet. */
export interface BenchEngine {
  run(request: SimulationRequest): Promise<Values>
}

export function newEngine(): BenchEngine {
  const engine = createEngine({ exact: createExactEngine(), translators })
  const limits = { steps: 1e12, gas: GAS, milliseconds: 600_000 }
  return {
    run: async (request) => {
      const outcome = await engine.run(request, limits)
      if (outcome.status !== 'returned') throw new Error(`The run ${JSON.stringify(outcome)}`)
      return outcome.particles.map(({ data }) => data)
    },
  }
}

export function valuesOf(output: Uint8Array): Values {
  return decodeParticles(output).map(({ data }) => data)
}

/** @throws Error when two engines disagree. */
export function assertSame(what: string, one: Values, other: Values): void {
  if (one.length !== other.length) throw new Error(`${what}: ${one.length} leaves, and ${other.length}`)
  for (const [leaf, values] of one.entries()) {
    const others = other[leaf]!
    const at = values.findIndex((value, i) => value !== others[i])
    if (at !== -1 || values.length !== others.length) {
      throw new Error(`${what}: leaf ${leaf} differs at ${at}: ${values[at]}, and ${others[at]}`)
    }
  }
}
