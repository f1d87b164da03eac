import { Failure } from '../domain/failure.ts'
import { decodeRejection } from '../domain/rejection-decode.ts'
import { BoundedPool, type Loaded, PoolLimit } from '../threads/bounded-pool.ts'
import type { Explainer } from './explainer.ts'
import type { SimulationResult, Simulator } from './simulator.ts'
import type { Answered, Job, Jobs, SimulationOutcome, Task } from './worker.ts'

export interface SimulatorPoolOptions {
  /** Wall clock of one run, without the time it waited in the queue. */
  readonly timeoutMs: number
  readonly gasLimit: bigint
  /** Runs that may wait; one more is refused. */
  readonly maxQueue: number
  readonly threads: number
}

const HEAP_LIMIT_MB = 1024
const ADVICE = 'ask for fewer particles or smaller indices'

/** A simulator on worker threads, which can explain its runs as well. */
export function createSimulatorPool(options: SimulatorPoolOptions): Simulator & Explainer & Loaded {
  const { gasLimit } = options
  const pool = new BoundedPool<Task, Jobs[Job]['outcome']>({
    ...options,
    worker: 'lib/simulator/worker.ts',
    heapLimitMb: HEAP_LIMIT_MB,
  })

  const run = async <J extends Job>(
    job: J,
    { signal, ...request }: Jobs[J]['request'],
  ): Promise<Jobs[J]['outcome']> => {
    try {
      return await pool.run((started) => ({ job, request, gasLimit, started }), signal)
    } catch (error) {
      throw error instanceof PoolLimit ? limitFailure(error, options) : error
    }
  }

  return {
    simulate: async (request) => toResult(await run('simulate', request)),
    explain: async (request) => toAnswer(await run('explain', request)),
    locate: async (request) => toAnswer(await run('locate', request)),
    tryBody: async (request) => toAnswer(await run('tryBody', request)),
    close: () => pool.close(),
    load: () => pool.load(),
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

function toResult(outcome: SimulationOutcome): SimulationResult {
  switch (outcome.status) {
    case 'returned':
      return { ok: true, particles: outcome.particles }
    case 'reverted':
      return { ok: false, rejection: decodeRejection(outcome.revertData) }
    case 'exhausted':
      throw outOfGas(outcome)
  }
}

function toAnswer<T>(outcome: Answered<T>): T {
  if (outcome.status === 'exhausted') throw outOfGas(outcome)
  return outcome.answer
}

function outOfGas(outcome: { readonly gasLimit: bigint }): Failure {
  return new Failure(
    'rejected',
    `Execution rejected: out of gas at the limit of ${outcome.gasLimit}; ${ADVICE}`,
  )
}
