import type { Hex } from '../domain/entity.ts'
import { decodeParticles, type ParticleStream } from '../domain/particles.ts'
import { runOnReferenceEngine } from './reference-engine.ts'
import type { SimulationRequest } from './simulator.ts'

export interface SimulationTask {
  readonly request: SimulationRequest
  readonly gasLimit: bigint
  /** Set to 1 and notified when the run leaves the queue, so that waiting does not count as running. */
  readonly started: Int32Array
}

export type SimulationOutcome =
  | { readonly status: 'returned'; readonly particles: ParticleStream[] }
  | { readonly status: 'reverted'; readonly revertData: Hex }
  | { readonly status: 'exhausted'; readonly gasLimit: bigint }

/** Entry of a pool thread. */
export default async function simulate(task: SimulationTask): Promise<SimulationOutcome> {
  Atomics.store(task.started, 0, 1)
  Atomics.notify(task.started, 0)
  const outcome = await runOnReferenceEngine(task.request, task.gasLimit)
  return outcome.status === 'returned'
    ? { status: 'returned', particles: decodeParticles(outcome.output) }
    : outcome
}
