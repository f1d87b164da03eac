import type { Limit, Unknowable } from '#lib/engine/run.ts'
import { addCounts, type EngineCounters, noCounts } from '#lib/engine/steps/translation-cache.ts'
import { MAX_VALUES } from '#lib/engine/walk/walk.ts'
import type { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import { type BlockFields, traitsOf, UNKNOWABLE } from '#lib/protocol/code-traits.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { answerTooLarge } from '#lib/protocol/particles.ts'
import { decodeRejection } from '#lib/protocol/rejection.ts'
import { BoundedPool, type Loaded, PoolLimit } from '../threads/bounded-pool.ts'
import type { Stopped } from './explain.ts'
import type { Explainer } from './explainer.ts'
import type { AnsweredRun, AnswerForm, Job, Jobs, Task } from './simulation-thread.ts'
import type { SimulationRequest, Simulator } from './simulator.ts'

export interface SimulatorPoolOptions {
  /** Wall clock of one run, without its time in the queue, in milliseconds. */
  readonly timeoutMs: number
  /** Steps of transformations and of loops inside them; 500 million by default. */
  readonly stepLimit?: number
  /** Gas of all calls of the exact engine in a run. */
  readonly gasLimit: bigint
  /** Largest result as JSON in bytes; 32 MiB by default. */
  readonly answerBytes?: number
  /** Queue length; one more run is refused. */
  readonly maxQueue: number
  readonly threads: number
  /** `nice` increment of its threads; 0 by default. */
  readonly niceness?: number
  readonly ledger?: UsageLedger
  /** For code that reads the block; absent where there is no chain. */
  readonly newestBlock?: NewestBlock | undefined
}

type NewestBlock = () => BlockFields | Promise<BlockFields>

interface WithBlock {
  readonly block?: BlockFields | undefined
}

const HEAP_LIMIT_MB = 512
const DEFAULT_STEP_LIMIT = 500_000_000
const DEFAULT_ANSWER_BYTES = 32 * 1024 * 1024
/** Grace period in which a cancelled run can stop, so that its warm thread can be reused. */
const GRACE_MS = 300
const ADVICE = 'ask for fewer particles or smaller indices'

export type SimulatorPool = Simulator &
  Explainer &
  Loaded & {
    counts(): EngineCounters
  }

type AnswerOf<Outcome> = Outcome extends { readonly answer: infer Answer } ? Answer : never

/** A simulator and explainer on worker threads. */
export function createSimulatorPool(options: SimulatorPoolOptions): SimulatorPool {
  const {
    gasLimit,
    timeoutMs,
    stepLimit = DEFAULT_STEP_LIMIT,
    answerBytes = DEFAULT_ANSWER_BYTES,
    newestBlock,
  } = options
  const limits = { gasLimit, timeoutMs, stepLimit }
  const within = (request: SimulationRequest): Limits => ({
    ...limits,
    timeoutMs: Math.min(timeoutMs, request.timeoutMs ?? timeoutMs),
  })
  const pool = new BoundedPool<Task, Jobs[Job]['outcome']>({
    ...options,
    worker: 'lib/compute/simulator/simulation-thread.ts',
    overload: 'simulate',
    heapLimitMb: HEAP_LIMIT_MB,
    graceMs: GRACE_MS,
    spare: true,
  })
  const counted = noCounts()

  const run = async <J extends Job>(
    job: J,
    { signal, ...request }: Jobs[J]['request'],
    ownLimits = limits,
  ): Promise<Jobs[J]['outcome']> => {
    try {
      const { timeoutMs } = ownLimits
      return await pool.run((started) => ({ ...ownLimits, job, request, started }), { signal, timeoutMs })
    } catch (error) {
      throw error instanceof PoolLimit ? limitFailure(error, ownLimits) : error
    }
  }

  const simulate = async (
    request: SimulationRequest,
    form: AnswerForm,
    ownLimits: Limits,
  ): Promise<AnsweredRun> => {
    request.signal?.throwIfAborted()
    const outcome = await run('simulate', { ...request, form }, ownLimits)
    addCounts(counted, outcome.counted)
    return outcome.run
  }

  const ask = async <J extends 'explain' | 'locate' | 'tryBody'>(job: J, request: Jobs[J]['request']) => {
    const outcome = await run(job, request)
    if (outcome.status === 'answered') return outcome.answer as AnswerOf<Jobs[J]['outcome']>
    throw failureOf(outcome, limits, answerBytes)
  }

  const withBlock = async <T extends WithBlock>(request: T, artifacts: readonly Artifact[]): Promise<T> =>
    traitsOf(artifacts).dependsOn === 'input' ? request : { ...request, block: await newestBlock?.() }

  return {
    start: () => pool.start(),
    simulate: async (request, streams = Infinity) => {
      const inBlock = await withBlock(request, request.artifacts)
      const own = within(request)
      const outcome = await simulate(inBlock, { streams }, own)
      if (outcome.status !== 'returned') return rejectedOr(outcome, own, answerBytes)
      const { particles, paths } = outcome
      return { ok: true, particles, paths }
    },
    simulateJson: async (request) => {
      const inBlock = await withBlock(request, request.artifacts)
      const own = within(request)
      const outcome = await simulate(inBlock, { jsonBytes: answerBytes }, own)
      if (outcome.status !== 'written') return rejectedOr(outcome, own, answerBytes)
      return { ok: true, json: outcome.json }
    },
    explain: async (request) => ask('explain', await withBlock(request, request.artifacts)),
    locate: async (request) => ask('locate', await withBlock(request, request.artifacts)),
    tryBody: async (request) => ask('tryBody', await withBlock(request, [request.artifact])),
    close: () => pool.close(),
    load: () => pool.load(),
    counts: () => ({ ...counted }),
  }
}

function limitFailure({ limit }: PoolLimit, { timeoutMs }: Limits): Failure {
  const exceeded =
    limit === 'time'
      ? `it took longer than the limit of ${timeoutMs} ms`
      : `it needed more than the limit of ${HEAP_LIMIT_MB} MB of memory`
  return new Failure('rejected', `Execution rejected: ${exceeded}; ${ADVICE}`)
}

interface Limits {
  readonly gasLimit: bigint
  readonly timeoutMs: number
  readonly stepLimit: number
}

/** Returns a rejection of the connector; throws a limit as `Failure`. */
function rejectedOr(outcome: AnsweredRun, limits: Limits, answerBytes: number) {
  if (outcome.status === 'reverted')
    return { ok: false, rejection: decodeRejection(outcome.revertData) } as const
  if (outcome.status === 'returned' || outcome.status === 'written')
    throw new Error(`Unexpected form of the result: ${outcome.status}`)
  throw failureOf(outcome, limits, answerBytes)
}

function failureOf(stopped: Stopped, limits: Limits, answerBytes: number): Error {
  switch (stopped.status) {
    case 'exhausted':
      return stopped.limit === 'answer'
        ? answerTooLarge(stopped.bytes ?? 0, answerBytes)
        : exceeded(stopped.limit, limits)
    case 'refused':
      return refused(stopped)
    case 'declined':
      return new Error(`The exact engine is missing: ${stopped.reason}`)
  }
}

function exceeded(limit: Exclude<Limit, 'answer'>, { gasLimit, stepLimit, timeoutMs }: Limits): Failure {
  const reasons = {
    gas: `out of gas at the limit of ${gasLimit}`,
    steps: `it needed more than the limit of ${stepLimit} steps`,
    time: `it took longer than the limit of ${timeoutMs} ms`,
    values: `it would give more than ${MAX_VALUES} values`,
    cancelled: 'it was given up',
  }
  return new Failure('rejected', `Execution rejected: ${reasons[limit]}; ${ADVICE}`)
}

function refused({ name, reads }: Unknowable): Failure {
  const [opcode = reads] = reads.split(' ')
  const what = UNKNOWABLE.get(opcode) ?? 'the block, and this server knows none'
  return new Failure(
    'rejected',
    `Execution rejected: the code of ${name} uses ${reads}, which depends on ${what}; a simulation cannot know that, a run on chain can`,
  )
}
