import type { Hash } from '../domain/entity.ts'
import { ByteLru } from '../engine/cache/byte-lru.ts'
import { createEngine, type Lessons } from '../engine/engine.ts'
import type { RunOutcome } from '../engine/run.ts'
import type { SimulationRequest } from './simulator.ts'

/** What may run on the thread that answers requests. */
const LIMITS = { steps: 50_000, gas: 0n, milliseconds: 20 }
const MAX_PARTICLES = 8192
/** Runs of one connector that may turn out too long: a busy machine makes short ones long, too. */
const STRIKES = 3
const CACHE_BYTES = 32 * 1024 * 1024

/**
 * Runs on the thread of the caller: only small ones, and only of steps that another thread has compared with the exact
 * engine. What turns out not to be small is not tried again.
 */
export class InlineRuns {
  readonly #engine = createEngine({ translators: {}, cacheBytes: CACHE_BYTES })
  /** How often connectors that are known here may still fail; 0 is for never again. */
  readonly #chances = new ByteLru<Hash, number>(1_000_000)

  /** Whether a run could be made here, if the thread that makes it now sends its lessons along. */
  wants({ root, particlesCount }: SimulationRequest): boolean {
    return particlesCount <= MAX_PARTICLES && this.#chances.get(root) === undefined
  }

  learn(root: Hash, lessons: Lessons): void {
    this.#engine.learn(lessons)
    this.#chances.set(root, lessons.complete ? STRIKES : 0, 200)
  }

  /** @returns undefined when the run has to be made elsewhere. */
  try(request: SimulationRequest): RunOutcome | undefined {
    const { root, particlesCount } = request
    const chances = this.#chances.get(root) ?? 0
    if (particlesCount > MAX_PARTICLES || chances === 0) return undefined
    const outcome = this.#engine.runNow(request, LIMITS)
    if (outcome.status === 'returned' || outcome.status === 'reverted') return outcome
    // Declined: a step reverts, and what with is another thread's to find out.
    if (outcome.status === 'exhausted') this.#chances.set(root, chances - 1, 200)
    return undefined
  }
}
