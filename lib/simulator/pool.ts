import type { Artifact } from '../domain/artifact.ts'
import type { BlockFields } from '../domain/block-fields.ts'
import { traitsOf, UNKNOWABLE } from '../domain/code-traits.ts'
import type { Hash } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { decodeRejection } from '../domain/rejection-decode.ts'
import type { ConnectorParts, Limit, RunOutcome } from '../engine/run.ts'
import { addCounts, type EngineCounters, noCounts } from '../engine/steps/counters.ts'
import { MAX_VALUES } from '../engine/walk/walk.ts'
import { BoundedPool, type Loaded, PoolLimit } from '../threads/bounded-pool.ts'
import type { Explainer } from './explainer.ts'
import { InlineRuns } from './inline.ts'
import type { SimulationRequest, SimulationResult, Simulator } from './simulator.ts'
import type { Answered, Job, Jobs, Task } from './worker.ts'

export interface SimulatorPoolOptions {
  /** Wall clock of one run, without the time it waited in the queue. */
  readonly timeoutMs: number
  /** Steps of transformations, and of loops inside them; unset, 500 million. */
  readonly stepLimit?: number
  /** Of what a run leaves to the exact engine. */
  readonly gasLimit: bigint
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

const HEAP_LIMIT_MB = 1024
const DEFAULT_STEP_LIMIT = 500_000_000
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
  const { gasLimit, timeoutMs, stepLimit = DEFAULT_STEP_LIMIT, newestBlock } = options
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

  const simulate = async (request: SimulationRequest): Promise<RunOutcome> => {
    request.signal?.throwIfAborted()
    const made = inline.try(request)
    if (made) {
      runs.inline += 1
      return made
    }
    const soon = preparing.get(request.root)
    if (soon) {
      await soon
      request.signal?.throwIfAborted()
      const known = inline.try(request)
      if (known) {
        runs.inline += 1
        return known
      }
    }
    runs.thread += 1
    const outcome = await run('simulate', request, inline.wants(request))
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
    simulate: async (request) => {
      const inBlock = await withBlock(request, request.artifacts)
      return toResult(await simulate(inBlock), inBlock, limits)
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

function toResult(outcome: RunOutcome, request: SimulationRequest, limits: Limits): SimulationResult {
  switch (outcome.status) {
    case 'returned':
      return { ok: true, particles: outcome.particles, lasting: request.block === undefined }
    case 'reverted':
      return { ok: false, rejection: decodeRejection(outcome.revertData) }
    case 'exhausted':
      throw outcome.limit === 'gas' ? outOfGas(limits) : exceeded(outcome.limit, limits)
    case 'refused':
      throw refused(outcome.reads, outcome.name)
    case 'declined':
      throw new Error(`The exact engine was not asked: ${outcome.reason}`)
  }
}

function exceeded(limit: Exclude<Limit, 'gas'>, { stepLimit, timeoutMs }: Limits): Failure {
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
