import type { Hex } from '../domain/entity.ts'
import { decodeParticles, type ParticleStream } from '../domain/particles.ts'
import { announceStart, type PoolTask } from '../threads/task.ts'
import { runOnReferenceEngine } from './reference-engine.ts'
import type { SimulationRequest } from './simulator.ts'

export interface SimulationTask extends PoolTask {
  readonly request: Omit<SimulationRequest, 'signal'>
  readonly gasLimit: bigint
}

export type SimulationOutcome =
  | { readonly status: 'returned'; readonly particles: ParticleStream[] }
  | { readonly status: 'reverted'; readonly revertData: Hex }
  | { readonly status: 'exhausted'; readonly gasLimit: bigint }

/** Entry of a pool thread. */
export default async function simulate(task: SimulationTask): Promise<SimulationOutcome> {
  announceStart(task)
  const outcome = await runOnReferenceEngine(task.request, task.gasLimit)
  return outcome.status === 'returned'
    ? { status: 'returned', particles: decodeParticles(outcome.output) }
    : outcome
}
