import type { Logger } from 'pino'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import type { ParticleStream } from '../domain/particles.ts'
import { particlesBytes, particlesJson } from '../domain/particles-json.ts'
import { createEngine, type Lessons } from '../engine/engine.ts'
import type { ConnectorParts, RunLimits, RunOutcome } from '../engine/run.ts'
import type { EngineCounters } from '../engine/steps/counters.ts'
import { translators } from '../engine/translators.ts'
import { isUnwanted, type PoolTask } from '../threads/task.ts'
import { onThread } from '../threads/thread-log.ts'
import { createExactEngine } from './exact-engine.ts'
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
import type { FastEngine } from './revert-place.ts'
import type { SimulationRequest } from './simulator.ts'
import { tryBody } from './try-body.ts'

/** What a pool thread can be asked: the request and the answer by name. */
export interface Jobs {
  readonly simulate: {
    readonly request: SimulationRequest & { readonly form: AnswerForm }
    readonly outcome: SimulationOutcome
  }
  readonly prepare: {
    readonly request: ConnectorParts & { readonly signal?: AbortSignal }
    readonly outcome: Preparation
  }
  readonly explain: { readonly request: ExplainRequest; readonly outcome: Answered<ExplainResult> }
  readonly locate: {
    readonly request: LocateRequest
    readonly outcome: Answered<RejectionPlace | undefined>
  }
  readonly tryBody: { readonly request: TryRequest; readonly outcome: Answered<TryResult> }
}

/** The first streams of a run, or the JSON of all of them up to a size. */
export type AnswerForm = { readonly streams: number } | { readonly jsonBytes: number }

export type Job = keyof Jobs

export interface Task<J extends Job = Job> extends PoolTask {
  readonly job: J
  readonly request: Omit<Jobs[J]['request'], 'signal'>
  readonly gasLimit: bigint
  readonly stepLimit: number
  readonly timeoutMs: number
  /** Send along what another engine needs to make the same run. */
  readonly teach: boolean
}

interface Preparation {
  readonly lessons: Lessons | undefined
  /** What the thread's engine counted since it was asked last. */
  readonly counted: EngineCounters
}

interface SimulationOutcome extends Preparation {
  readonly run: AnsweredRun
}

export type AnsweredRun =
  | Exclude<RunOutcome, { readonly status: 'returned' }>
  | (Extract<RunOutcome, { readonly status: 'returned' }> & { readonly paths: number })
  | { readonly status: 'written'; readonly json: Uint8Array<ArrayBuffer> }

export type Answered<T> = { readonly status: 'answered'; readonly answer: T } | Exhausted

interface Exhausted {
  readonly status: 'exhausted'
  readonly gasLimit: bigint
}

/** A thread that gets ready is not there for others. */
const PREPARE_MS = 500

const engine = createEngine({ exact: createExactEngine(), translators })

type Workers = { readonly [J in Job]: (task: Task<J>, log: Logger) => Promise<Jobs[J]['outcome']> }

const workers: Workers = {
  simulate: async (task, log) => {
    const { request, teach } = task
    const { form } = request
    const limits = limitsOf(task)
    const run = await engine.run(
      request,
      'jsonBytes' in form ? { ...limits, answerBytes: form.jsonBytes } : limits,
    )
    const told = found(request, teach && run.status === 'returned', log)
    return moved({ run: run.status === 'returned' ? answerOf(run.particles, form) : run, ...told })
  },
  prepare: async (task, log) => {
    await engine.prepare(task.request, { ...limitsOf(task), milliseconds: PREPARE_MS })
    return found(task.request, true, log)
  },
  explain: async (task) => answered(await explain(task.request, task.gasLimit, within(task))),
  locate: async (task) => answered(await locate(task.request, task.gasLimit, within(task))),
  tryBody: async ({ request, gasLimit }) => answered(await tryBody(request, gasLimit)),
}

function answerOf(particles: readonly ParticleStream[], form: AnswerForm): AnsweredRun {
  if ('streams' in form) {
    const first = particles.slice(0, form.streams)
    // All values lie in one buffer, which would be sent as a whole.
    const own =
      first.length === particles.length
        ? first
        : first.map(({ path, data }) => ({ path, data: data.slice() }))
    return { status: 'returned', particles: own, paths: particles.length }
  }
  const bytes = particlesBytes(particles)
  if (bytes > form.jsonBytes) return { status: 'exhausted', limit: 'answer', bytes }
  return { status: 'written', json: particlesJson(particles) }
}

/** Hands the text over instead of copying it. */
function moved(outcome: SimulationOutcome): SimulationOutcome {
  if (outcome.run.status !== 'written') return outcome
  const { buffer } = outcome.run.json
  return move({ [transferableSymbol]: [buffer], [valueSymbol]: outcome }) as unknown as SimulationOutcome
}

function limitsOf(task: Task): RunLimits {
  return {
    steps: task.stepLimit,
    gas: task.gasLimit,
    // To answer before the thread is ended.
    milliseconds: task.timeoutMs * 0.9,
    cancelled: () => isUnwanted(task),
  }
}

function within(task: Task): FastEngine {
  return {
    run: (request) => engine.run(request, limitsOf(task)),
    locate: (request) => engine.locate(request, limitsOf(task)),
  }
}

/** What the engine found out, for the log, the metrics and, if it is wanted, another engine. */
function found(request: ConnectorParts, teach: boolean, log: Logger): Preparation {
  const counted = engine.takeCounts()
  const { specialisedWrong, translatedWrong } = counted
  if (specialisedWrong + translatedWrong > 0) {
    log.error(
      { root: request.root, specialisedWrong, translatedWrong },
      'a step differed from the exact engine',
    )
  }
  return { lessons: teach ? engine.lessons(request) : undefined, counted }
}

/** Entry of a pool thread. */
export default async function work<J extends Job>(task: Task<J>): Promise<Jobs[J]['outcome']> {
  return onThread(task.job, task, (log) => workers[task.job](task, log))
}

function answered<T>(answer: T | { readonly exhausted: bigint }): Answered<T> {
  return typeof answer === 'object' && answer !== null && 'exhausted' in answer
    ? { status: 'exhausted', gasLimit: answer.exhausted }
    : { status: 'answered', answer }
}
