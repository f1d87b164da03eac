import { ByteLru } from '../cache/byte-lru.ts'
import type { Hash } from '../domain/entity.ts'
import { createEngine, type Lessons } from '../engine/engine.ts'
import type { ConnectorParts, RunOutcome } from '../engine/run.ts'
import type { SimulationRequest } from './simulator.ts'

/** Steps that may be made on the thread that answers requests, when they are short. */
const STEPS = 600_000
/** Characters of a short step; longer ones count for several. */
const SHORT = 500
const MILLISECONDS = 20
const MAX_PARTICLES = 8192
const MAX_POSITIONS = 500
/** Runs of one connector that may turn out too long: a busy machine makes short ones long, too. */
const CHANCES = 3
const CACHE_BYTES = 32 * 1024 * 1024

/**
 * Runs on the thread of the caller: only small ones, and only of steps that another thread has compared with the exact
 * engine. What turns out not to be small is not tried again.
 */
export class InlineRuns {
  readonly #engine = createEngine({ translators: {}, cacheBytes: CACHE_BYTES })
  /** Connectors that are known here, and how often they may still fail. */
  readonly #known = new ByteLru<Hash, { readonly chances: number; readonly steps: number }>(1_000_000)

  /** Whether a run could be made here, if the thread that makes it now sends its lessons along. */
  wants({ root, particlesCount }: SimulationRequest): boolean {
    return particlesCount <= MAX_PARTICLES && !this.knows(root)
  }

  /** Whether it was learned what runs of a connector need. */
  knows(root: Hash): boolean {
    return this.#known.get(root) !== undefined
  }

  /** Learns what runs of a connector need from what others needed, if that is all. */
  recognise(connector: ConnectorParts): boolean {
    const lessons = this.#engine.lessons(connector)
    if (lessons.complete) this.learn(connector.root, lessons)
    return lessons.complete
  }

  learn(root: Hash, lessons: Lessons): void {
    this.#engine.learn(lessons)
    const longest = lessons.steps.reduce((most, { source }) => Math.max(most, source.length), SHORT)
    const fits = lessons.complete && lessons.positions <= MAX_POSITIONS
    this.#keep(root, fits ? CHANCES : 0, Math.floor((STEPS * SHORT) / longest))
  }

  /** @returns undefined when the run has to be made elsewhere. */
  try(request: SimulationRequest): RunOutcome | undefined {
    const { root, particlesCount } = request
    const known = this.#known.get(root)
    if (particlesCount > MAX_PARTICLES || known === undefined || known.chances === 0) return undefined
    const { steps, chances } = known
    const outcome = this.#engine.runNow(request, { steps, gas: 0n, milliseconds: MILLISECONDS })
    if (outcome.status === 'returned' || outcome.status === 'reverted') return outcome
    // Declined: a step reverts, and what with is another thread's to find out.
    if (outcome.status === 'exhausted') this.#keep(root, chances - 1, steps)
    return undefined
  }

  #keep(root: Hash, chances: number, steps: number): void {
    this.#known.set(root, { chances, steps }, 200)
  }
}
