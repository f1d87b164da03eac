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
/** Values of all dimensions of a run: what is written for it here is no more than a moment's work. */
const MAX_VALUES = 262_144
/** Runs of one connector that may turn out too long: a busy machine makes short ones long, too. */
const CHANCES = 3
const CACHE_BYTES = 32 * 1024 * 1024

/** What is known of a connector, and how often its runs may still turn out too long. */
interface Known {
  readonly chances: number
  readonly steps: number
  readonly positions: number
}

/**
 * Runs on the thread of the caller: only small ones, and only of steps that another thread has compared with the exact
 * engine. What turns out not to be small is not tried again.
 */
export class InlineRuns {
  readonly #engine = createEngine({ translators: {}, cacheBytes: CACHE_BYTES })
  readonly #known = new ByteLru<Hash, Known>(1_000_000)

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
    const steps = Math.floor((STEPS * SHORT) / longest)
    this.#keep(root, { chances: fits ? CHANCES : 0, steps, positions: lessons.positions })
  }

  /** @returns undefined when the run has to be made elsewhere. */
  try(request: SimulationRequest, answerBytes: number): RunOutcome | undefined {
    const { root, particlesCount } = request
    const known = this.#known.get(root)
    if (particlesCount > MAX_PARTICLES || known === undefined || known.chances === 0) return undefined
    if (particlesCount * known.positions > MAX_VALUES) return undefined
    const { steps, chances } = known
    const outcome = this.#engine.runNow(request, { steps, gas: 0n, milliseconds: MILLISECONDS, answerBytes })
    if (outcome.status === 'returned' || outcome.status === 'reverted') return outcome
    if (outcome.status === 'exhausted' && outcome.limit === 'answer') return outcome
    // Declined: a step reverts, and what with is another thread's to find out.
    if (outcome.status === 'exhausted') this.#keep(root, { ...known, chances: chances - 1 })
    return undefined
  }

  #keep(root: Hash, known: Known): void {
    this.#known.set(root, known, 250)
  }
}
