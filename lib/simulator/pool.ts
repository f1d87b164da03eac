import { join } from 'node:path'
import { Piscina } from 'piscina'
import { Failure } from '../domain/failure.ts'
import { decodeRejection } from '../domain/rejection-decode.ts'
import type { SimulationRequest, SimulationResult, Simulator } from './simulator.ts'
import type { SimulationOutcome, SimulationTask } from './worker.ts'

export interface SimulatorPoolOptions {
  /** Wall clock of one run, without the time it waited in the queue. */
  readonly timeoutMs: number
  readonly gasLimit: bigint
  /** Runs that may wait; one more is refused. */
  readonly maxQueue: number
  readonly threads: number
}

const MEMORY_LIMIT_MB = 1024
const ADVICE = 'ask for fewer particles or smaller indices'

/** A simulator on worker threads: a run that goes wrong costs its own thread, which is replaced. */
export function createSimulatorPool(options: SimulatorPoolOptions): Simulator {
  // By path from the project's root: a bundler moves this module, but not the file the thread starts with.
  const filename = join(process.cwd(), 'lib/simulator/worker.ts')
  const pool = new Piscina<SimulationTask, SimulationOutcome>({
    filename,
    minThreads: 1,
    maxThreads: options.threads,
    maxQueue: options.maxQueue,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  })

  return {
    simulate: async (request) => {
      const { signal, ...task } = request
      const outcome = await runBounded(pool, task, options, signal)
      return toResult(outcome, options)
    },
    close: () => pool.destroy(),
  }
}

async function runBounded(
  pool: Piscina<SimulationTask, SimulationOutcome>,
  request: SimulationRequest,
  options: SimulatorPoolOptions,
  signal: AbortSignal | undefined,
): Promise<SimulationOutcome> {
  const started = new Int32Array(new SharedArrayBuffer(4))
  const timeout = new AbortController()
  const stop = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal])
  let timer: NodeJS.Timeout | undefined
  let ended = false
  const startTimer = () => {
    if (!ended) timer = setTimeout(() => timeout.abort(), options.timeoutMs)
  }
  const start = Atomics.waitAsync(started, 0, 0)
  if (start.async) void start.value.then(startTimer)
  else startTimer()
  try {
    return await pool.run({ request, gasLimit: options.gasLimit, started }, { signal: stop })
  } catch (error) {
    if (timeout.signal.aborted) {
      throw new Failure(
        'rejected',
        `Execution rejected: it took longer than the limit of ${options.timeoutMs} ms; ${ADVICE}`,
      )
    }
    if (signal?.aborted) throw signal.reason
    throw toFailure(error)
  } finally {
    ended = true
    clearTimeout(timer)
    Atomics.notify(started, 0)
  }
}

function toFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.message.includes('Task queue is at limit')) {
    return new Failure('overloaded', 'Too many simulations are waiting; try again shortly', {
      retryAfterSeconds: 2,
    })
  }
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new Failure(
      'rejected',
      `Execution rejected: it needed more than the limit of ${MEMORY_LIMIT_MB} MB of memory`,
    )
  }
  return error
}

function toResult(outcome: SimulationOutcome, options: SimulatorPoolOptions): SimulationResult {
  switch (outcome.status) {
    case 'returned':
      return { ok: true, particles: outcome.particles }
    case 'reverted':
      return { ok: false, rejection: decodeRejection(outcome.revertData) }
    case 'exhausted':
      throw new Failure(
        'rejected',
        `Execution rejected: out of gas at the limit of ${options.gasLimit}; ${ADVICE}`,
      )
  }
}
