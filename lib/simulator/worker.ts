import type { Hex } from '../domain/entity.ts'
import { decodeParticles, type ParticleStream } from '../domain/particles.ts'
import { announceStart, type PoolTask } from '../threads/task.ts'
import { explain } from './explain.ts'
import type {
  ExplainRequest,
  ExplainResult,
  LocateRequest,
  RejectionPlace,
  TryRequest,
  TryResult,
} from './explainer.ts'
import { locate } from './locate.ts'
import { runOnReferenceEngine } from './reference-engine.ts'
import type { SimulationRequest } from './simulator.ts'
import { tryBody } from './try-body.ts'

/** What a pool thread can be asked: the request and the answer by name. */
export interface Jobs {
  readonly simulate: { readonly request: SimulationRequest; readonly outcome: SimulationOutcome }
  readonly explain: { readonly request: ExplainRequest; readonly outcome: Answered<ExplainResult> }
  readonly locate: {
    readonly request: LocateRequest
    readonly outcome: Answered<RejectionPlace | undefined>
  }
  readonly tryBody: { readonly request: TryRequest; readonly outcome: Answered<TryResult> }
}

export type Job = keyof Jobs

export interface Task<J extends Job = Job> extends PoolTask {
  readonly job: J
  readonly request: Omit<Jobs[J]['request'], 'signal'>
  readonly gasLimit: bigint
}

export type SimulationOutcome =
  | { readonly status: 'returned'; readonly particles: ParticleStream[] }
  | { readonly status: 'reverted'; readonly revertData: Hex }
  | Exhausted

export type Answered<T> = { readonly status: 'answered'; readonly answer: T } | Exhausted

interface Exhausted {
  readonly status: 'exhausted'
  readonly gasLimit: bigint
}

type Workers = { readonly [J in Job]: (task: Task<J>) => Promise<Jobs[J]['outcome']> }

const workers: Workers = {
  simulate: async ({ request, gasLimit }) => {
    const outcome = await runOnReferenceEngine(request, gasLimit)
    return outcome.status === 'returned'
      ? { status: 'returned', particles: decodeParticles(outcome.output) }
      : outcome
  },
  explain: async ({ request, gasLimit }) => answered(await explain(request, gasLimit)),
  locate: async ({ request, gasLimit }) => answered(await locate(request, gasLimit)),
  tryBody: async ({ request, gasLimit }) => answered(await tryBody(request, gasLimit)),
}

/** Entry of a pool thread. */
export default async function work<J extends Job>(task: Task<J>): Promise<Jobs[J]['outcome']> {
  announceStart(task)
  return workers[task.job](task)
}

function answered<T>(answer: T | { readonly exhausted: bigint }): Answered<T> {
  return typeof answer === 'object' && answer !== null && 'exhausted' in answer
    ? { status: 'exhausted', gasLimit: answer.exhausted }
    : { status: 'answered', answer }
}
