import type { Logger } from 'pino'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { bytesToHex } from 'viem/utils'
import { createEngine, translators } from '#lib/engine/engine.ts'
import type { ConnectorParts, RunLimits, RunOutcome } from '#lib/engine/run.ts'
import { checkCalldata, runCalldata } from '#lib/engine/sequence/runner-calls.ts'
import type { EngineCounters } from '#lib/engine/steps/translation-cache.ts'
import { type ParticleStream, particlesBytes, particlesJson } from '#lib/protocol/particles.ts'
import { decodeRejection, type Rejection } from '#lib/protocol/rejection.ts'
import { isAbandoned, type PoolTask } from '../threads/task.ts'
import { onThread } from '../threads/thread-log.ts'
import { createExactEngine } from './exact-engine.ts'
import { explain, type Stopped } from './explain.ts'
import type {
  ExplainRequest,
  ExplainResult,
  LocateRequest,
  RejectionPlace,
  TryRequest,
  TryResult,
} from './explainer.ts'
import { type FastEngine, locate } from './locate.ts'
import type { SimulationRequest } from './simulator.ts'

/** Jobs of a pool thread: request and outcome by name. */
export interface Jobs {
  readonly simulate: {
    readonly request: SimulationRequest & { readonly form: AnswerForm }
    readonly outcome: SimulationOutcome
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
}

interface SimulationOutcome {
  readonly run: AnsweredRun
  /** Counters of the thread's engine since its last task. */
  readonly counted: EngineCounters
}

export type AnsweredRun =
  | Exclude<RunOutcome, { readonly status: 'returned' }>
  | (Extract<RunOutcome, { readonly status: 'returned' }> & { readonly paths: number })
  | { readonly status: 'written'; readonly json: Uint8Array<ArrayBuffer> }

export type Answered<T> = { readonly status: 'answered'; readonly answer: T } | Stopped

const exact = createExactEngine()
const engine = createEngine({ exact, translators })

type Handlers = { readonly [J in Job]: (task: Task<J>, log: Logger) => Promise<Jobs[J]['outcome']> }

const handlers: Handlers = {
  simulate: async (task, log) => {
    const { request } = task
    const { form } = request
    const limits = limitsOf(task)
    const run = await engine.run(
      request,
      'jsonBytes' in form ? { ...limits, answerBytes: form.jsonBytes } : limits,
    )
    const counted = countedFor(request, log)
    return transferred({ run: run.status === 'returned' ? answerOf(run.particles, form) : run, counted })
  },
  explain: (task) => answered(explain(task.request, engineFor(task))),
  locate: (task) => answered(locate(task.request, engineFor(task))),
  tryBody: ({ request, gasLimit }) => answered(tryBody(request, gasLimit)),
}

function answerOf(particles: readonly ParticleStream[], form: AnswerForm): AnsweredRun {
  if ('streams' in form) {
    const first = particles.slice(0, form.streams)
    // All values share one buffer, which would be cloned as a whole.
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

/** Transfers the text instead of copying it. */
function transferred(outcome: SimulationOutcome): SimulationOutcome {
  if (outcome.run.status !== 'written') return outcome
  const { buffer } = outcome.run.json
  return move({ [transferableSymbol]: [buffer], [valueSymbol]: outcome }) as unknown as SimulationOutcome
}

function limitsOf(task: Task): RunLimits {
  return {
    steps: task.stepLimit,
    gas: task.gasLimit,
    // To return before the thread is terminated.
    milliseconds: task.timeoutMs * 0.9,
    cancelled: () => isAbandoned(task),
  }
}

function engineFor(task: Task): FastEngine {
  return {
    run: (request) => engine.run(request, limitsOf(task)),
    locate: (request) => engine.locate(request, limitsOf(task)),
  }
}

/** Returns the engine's counters since the last call; logs translations that differed from the exact engine. */
function countedFor({ root }: ConnectorParts, log: Logger): EngineCounters {
  const counted = engine.takeCounts()
  const { specialisedWrong, translatedWrong } = counted
  if (specialisedWrong + translatedWrong > 0) {
    log.error({ root, specialisedWrong, translatedWrong }, 'a step differed from the exact engine')
  }
  return counted
}

/** Entry of a pool thread. */
export default async function work<J extends Job>(task: Task<J>): Promise<Jobs[J]['outcome']> {
  return onThread(task.job, task, (log) => handlers[task.job](task, log))
}

async function answered<T>(working: Promise<T | Stopped>): Promise<Answered<T>> {
  const answer = await working
  return typeof answer === 'object' && answer !== null && 'status' in answer
    ? answer
    : { status: 'answered', answer: answer as T }
}

/** Assembly can return anything. */
const NOT_AN_ANSWER: Rejection = {
  name: 'InvalidEntity',
  message: 'The body answered with something that is not a value: does it return from assembly?',
  revertData: '0x',
}

/** Runs one body alone; a transformation `steps` times, each on the result before. */
async function tryBody(
  { artifact, x, args, steps, block }: Omit<TryRequest, 'signal'>,
  gasLimit: bigint,
): Promise<TryResult | Stopped> {
  const isCondition = artifact.kind === 'condition'
  const values: number[] = []
  let value = x
  for (let round = 0; round < (isCondition ? 1 : steps); round++) {
    const calldata = isCondition ? checkCalldata(args) : runCalldata(value, args)
    const outcome = await exact.call({ code: artifact, calldata, gas: gasLimit, block })
    if (outcome.status === 'exhausted') return { status: 'exhausted', limit: 'gas' }
    if (outcome.status === 'refused') return { status: 'refused', name: artifact.name, reads: outcome.reads }
    if (outcome.status === 'reverted') return { values, rejection: decodeRejection(bytesToHex(outcome.data)) }
    const answer = readWord(outcome.output, isCondition ? 1 : 4_294_967_295)
    if (answer === undefined) return { values, rejection: NOT_AN_ANSWER }
    value = answer
    values.push(value)
  }
  return { values, rejection: undefined }
}

/** The first 32 bytes as a number of at most `max`. */
function readWord(output: Uint8Array, max: number): number | undefined {
  if (output.length < 32 || output.subarray(0, 28).some((byte) => byte !== 0)) return undefined
  const value = new DataView(output.buffer, output.byteOffset).getUint32(28)
  return value <= max ? value : undefined
}
