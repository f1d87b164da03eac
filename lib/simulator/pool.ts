import { setImmediate as turn } from 'node:timers/promises'
import { answerTooLarge } from '../domain/answer-size.ts'
import type { Artifact } from '../domain/artifact.ts'
import type { BlockFields } from '../domain/block-fields.ts'
import { traitsOf, UNKNOWABLE } from '../domain/code-traits.ts'
import type { Hash } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import type { ParticleStream } from '../domain/particles.ts'
import { particlesBytes, writeParticles } from '../domain/particles-json.ts'
import { decodeRejection } from '../domain/rejection-decode.ts'
import type { ConnectorParts, Limit } from '../engine/run.ts'
import { addCounts, type EngineCounters, noCounts } from '../engine/steps/counters.ts'
import { MAX_VALUES } from '../engine/walk/walk.ts'
import { BoundedPool, type Loaded, PoolLimit } from '../threads/bounded-pool.ts'
import type { Explainer } from './explainer.ts'
import { InlineRuns } from './inline.ts'
import type { SimulationRequest, Simulator } from './simulator.ts'
import type { Answered, AnsweredRun, AnswerForm, Job, Jobs, Task } from './worker.ts'

export interface SimulatorPoolOptions {
  /** Wall clock of one run, without the time it waited in the queue. */
  readonly timeoutMs: number
  /** Steps of transformations, and of loops inside them; unset, 500 million. */
  readonly stepLimit?: number
  /** Of what a run leaves to the exact engine. */
  readonly gasLimit: bigint
  /** Bytes that one answer may have as JSON; unset, 32 MiB. */
  readonly answerBytes?: number
  /** Runs that may wait; one more is refused. */
  readonly maxQueue: number
  readonly threads: number
  /** How far its threads give way to the process's own, as of `nice`; unset, not at all. */
  readonly niceness?: number
  /** For code that reads the block; absent where there is no chain. */
  readonly newestBlock?: (() => BlockFields | Promise<BlockFields>) | undefined
}

interface WithBlock {
  readonly block?: BlockFields | undefined
}

const HEAP_LIMIT_MB = 512
const DEFAULT_STEP_LIMIT = 500_000_000
const DEFAULT_ANSWER_BYTES = 32 * 1024 * 1024
const LONGEST_TURN_MS = 4
/** A warm thread is worth waiting for. */
const GRACE_MS = 300
const ADVICE = 'ask for fewer particles or smaller indices'

/** What a pool's engines did so far. */
export interface EngineReport {
  readonly steps: Readonly<EngineCounters>
  /** Runs by where they were made. */
  readonly runs: Readonly<Record<'inline' | 'thread', number>>
}

/** A simulator on worker threads, which can explain its runs as well. Small runs of known steps need no thread. */
export function createSimulatorPool(
  options: SimulatorPoolOptions,
): Simulator & Explainer & Loaded & { report(): EngineReport } {
  const {
    gasLimit,
    timeoutMs,
    stepLimit = DEFAULT_STEP_LIMIT,
    answerBytes = DEFAULT_ANSWER_BYTES,
    newestBlock,
  } = options
  const limits = { gasLimit, timeoutMs, stepLimit }
  const pool = new BoundedPool<Task, Jobs[Job]['outcome']>({
    ...options,
    worker: 'lib/simulator/worker.ts',
    heapLimitMb: HEAP_LIMIT_MB,
    graceMs: GRACE_MS,
  })
  const inline = new InlineRuns()
  /** Connectors that a thread is getting ready for. */
  const preparing = new Map<Hash, Promise<void>>()
  const steps = noCounts()
  const runs = { inline: 0, thread: 0 }

  const withBlock = async <T extends WithBlock>(request: T, artifacts: readonly Artifact[]): Promise<T> =>
    traitsOf(artifacts).dependsOn === 'input' ? request : { ...request, block: await newestBlock?.() }

  const run = async <J extends Job>(
    job: J,
    { signal, ...request }: Jobs[J]['request'],
    teach = false,
  ): Promise<Jobs[J]['outcome']> => {
    try {
      return await pool.run((started) => ({ ...limits, job, request, teach, started }), signal)
    } catch (error) {
      throw error instanceof PoolLimit ? limitFailure(error, options) : error
    }
  }

  const simulate = async (request: SimulationRequest, form: AnswerForm): Promise<AnsweredRun> => {
    request.signal?.throwIfAborted()
    const tryInline = async (): Promise<AnsweredRun | undefined> => {
      const found = inline.try(request, 'jsonBytes' in form ? form.jsonBytes : Infinity)
      return found?.status === 'returned' ? inForm(found.particles, form) : found
    }
    const made = await tryInline()
    if (made) {
      runs.inline += 1
      return made
    }
    const soon = preparing.get(request.root)
    if (soon) {
      await soon
      request.signal?.throwIfAborted()
      const known = await tryInline()
      if (known) {
        runs.inline += 1
        return known
      }
    }
    runs.thread += 1
    const outcome = await run('simulate', { ...request, form }, inline.wants(request))
    addCounts(steps, outcome.counted)
    if (outcome.lessons) inline.learn(request.root, outcome.lessons)
    return outcome.run
  }

  const getReady = async (connector: ConnectorParts): Promise<void> => {
    try {
      const { lessons, counted } = await run('prepare', connector)
      addCounts(steps, counted)
      if (lessons) inline.learn(connector.root, lessons)
    } catch {
      // Its first run will say what is wrong.
    } finally {
      preparing.delete(connector.root)
    }
  }

  return {
    // It has started a thread by being made.
    start: () => undefined,
    prepare: async (connector) => {
      const { running, waiting } = pool.load()
      if (inline.knows(connector.root) || inline.recognise(connector) || running + waiting > 0) return
      const ready = getReady(connector)
      preparing.set(connector.root, ready)
      await ready
    },
    simulate: async (request, streams = Infinity) => {
      const inBlock = await withBlock(request, request.artifacts)
      const outcome = await simulate(inBlock, { streams })
      if (outcome.status !== 'returned') return rejectedOr(outcome, limits, answerBytes)
      const { particles, paths } = outcome
      return { ok: true, particles, paths, lasting: inBlock.block === undefined }
    },
    simulateJson: async (request) => {
      const inBlock = await withBlock(request, request.artifacts)
      const outcome = await simulate(inBlock, { jsonBytes: answerBytes })
      if (outcome.status !== 'written') return rejectedOr(outcome, limits, answerBytes)
      return { ok: true, json: outcome.json, lasting: inBlock.block === undefined }
    },
    explain: async (request) => toAnswer(await run('explain', await withBlock(request, request.artifacts))),
    locate: async (request) => toAnswer(await run('locate', await withBlock(request, request.artifacts))),
    tryBody: async (request) => toAnswer(await run('tryBody', await withBlock(request, [request.artifact]))),
    close: () => pool.close(),
    load: () => pool.load(),
    report: () => ({ steps: { ...steps }, runs: { ...runs } }),
  }
}

function limitFailure({ limit }: PoolLimit, { timeoutMs }: SimulatorPoolOptions): Failure {
  if (limit === 'queue') {
    return new Failure('overloaded', 'Too many simulations are waiting; try again shortly', {
      retryAfterSeconds: 2,
    })
  }
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

/** An answer of a run that was made on this thread: its text is written in turns with other work. */
async function inForm(particles: readonly ParticleStream[], form: AnswerForm): Promise<AnsweredRun> {
  if ('streams' in form) {
    return { status: 'returned', particles: particles.slice(0, form.streams), paths: particles.length }
  }
  const bytes = particlesBytes(particles)
  if (bytes > form.jsonBytes) return { status: 'exhausted', limit: 'answer', bytes }
  return { status: 'written', json: await inTurns(writeParticles(particles)) }
}

/** Lets other requests have their turn between pieces of a long piece of work. */
async function inTurns<T>(work: Generator<undefined, T>): Promise<T> {
  let began = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    if (performance.now() - began < LONGEST_TURN_MS) continue
    await turn()
    began = performance.now()
  }
}

/** What is no answer: a rejection is one of the connector, a limit is thrown. */
function rejectedOr(outcome: AnsweredRun, limits: Limits, answerBytes: number) {
  switch (outcome.status) {
    case 'reverted':
      return { ok: false, rejection: decodeRejection(outcome.revertData) } as const
    case 'exhausted':
      throw failureOf(outcome, limits, answerBytes)
    case 'refused':
      throw refused(outcome.reads, outcome.name)
    case 'declined':
      throw new Error(`The exact engine was not asked: ${outcome.reason}`)
    default:
      throw new Error(`The run was answered in another form: ${outcome.status}`)
  }
}

function failureOf(
  { limit, bytes = 0 }: Extract<AnsweredRun, { status: 'exhausted' }>,
  limits: Limits,
  answerBytes: number,
): Failure {
  if (limit === 'gas') return outOfGas(limits)
  return limit === 'answer' ? answerTooLarge(bytes, answerBytes) : exceeded(limit, limits)
}

function exceeded(limit: Exclude<Limit, 'gas' | 'answer'>, { stepLimit, timeoutMs }: Limits): Failure {
  const reasons = {
    steps: `it needed more than the limit of ${stepLimit} steps`,
    time: `it took longer than the limit of ${timeoutMs} ms`,
    values: `it would give more than ${MAX_VALUES} values`,
    cancelled: 'it was given up',
  }
  return new Failure('rejected', `Execution rejected: ${reasons[limit]}; ${ADVICE}`)
}

function toAnswer<T>(outcome: Answered<T>): T {
  if (outcome.status === 'exhausted') throw outOfGas(outcome)
  if (outcome.status === 'refused') throw refused(outcome.reads)
  return outcome.answer
}

/** @param name Of the code, if that is known. */
function refused(reads: string, name?: string): Failure {
  const [opcode = reads] = reads.split(' ')
  const code = name === undefined ? 'the code' : `the code of ${name}`
  const what = UNKNOWABLE.get(opcode) ?? 'the block, and this server knows none'
  return new Failure(
    'rejected',
    `Execution rejected: ${code} uses ${reads}, which depends on ${what}; a simulation cannot know that, a run on chain can`,
  )
}

function outOfGas(outcome: { readonly gasLimit: bigint }): Failure {
  return new Failure(
    'rejected',
    `Execution rejected: out of gas at the limit of ${outcome.gasLimit}; ${ADVICE}`,
  )
}
