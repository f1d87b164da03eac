import type { Hash } from '../domain/entity.ts'
import { ByteLru } from '../engine/cache/byte-lru.ts'
import { createEngine, type Lessons } from '../engine/engine.ts'
import type { RunOutcome } from '../engine/run.ts'
import type { SimulationRequest } from './simulator.ts'

/** What may run on the thread that answers requests: a few milliseconds at the very worst. */
const LIMITS = { steps: 50_000, gas: 0n, milliseconds: 4 }
const MAX_PARTICLES = 8192
const CACHE_BYTES = 32 * 1024 * 1024

/**
 * Runs on the thread of the caller: only small ones, and only of steps that another thread has compared with the exact
 * engine. What turns out not to be small is never tried again.
 */
export class InlineRuns {
  readonly #engine = createEngine({ translators: {}, cacheBytes: CACHE_BYTES })
  readonly #state = new ByteLru<Hash, 'taught' | 'unfit'>(1_000_000)

  /** Whether a run could be made here, if the thread that makes it now sends its lessons along. */
  wants({ root, particlesCount }: SimulationRequest): boolean {
    return particlesCount <= MAX_PARTICLES && this.#state.get(root) === undefined
  }

  learn(root: Hash, lessons: Lessons): void {
    this.#engine.learn(lessons)
    this.#state.set(root, lessons.complete ? 'taught' : 'unfit', 200)
  }

  /** @returns undefined when the run has to be made elsewhere. */
  try(request: SimulationRequest): RunOutcome | undefined {
    const { root, particlesCount } = request
    if (particlesCount > MAX_PARTICLES || this.#state.get(root) !== 'taught') return undefined
    const outcome = this.#engine.runNow(request, LIMITS)
    if (outcome.status === 'returned' || outcome.status === 'reverted') return outcome
    // Declined: a step reverts, and what with is another thread's to find out.
    if (outcome.status === 'exhausted') this.#state.set(root, 'unfit', 200)
    return undefined
  }
}
