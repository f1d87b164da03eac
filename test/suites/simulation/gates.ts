/** A place where a worker waits for something outside of itself: a call to the node, a statement, its next turn. */
export interface Arrival {
  readonly worker: number
  readonly at: 'turn' | 'node' | 'database'
  /** For readers of the trace. */
  readonly what: string
  /** HTTP requests that go to the node together. */
  readonly requests?: number
}

interface Waiting extends Arrival {
  readonly pass: (order: unknown) => void
}

const HANGS_AFTER_MS = 60_000

/**
 * Blocks every worker wherever it awaits I/O, so that one driver schedules the workers and what happens in between.
 * Between two gates a worker runs alone.
 */
export class Gates {
  readonly #waiting = new Map<number, Waiting>()
  /** Work that a worker left under way, as a call to the node beside a statement whose connection was cut. */
  #behind: readonly Waiting[] = []
  readonly #living = new Set<number>()
  #changed: (() => void) | undefined

  /** Called by a worker; resolves with what the driver orders, or never when the worker is killed here. */
  arrive<Order>(arrival: Arrival): Promise<Order> {
    if (!this.#living.has(arrival.worker)) return new Promise(() => {})
    return new Promise((resolve) => {
      const waiting = { ...arrival, pass: resolve as (order: unknown) => void }
      if (this.#waiting.has(arrival.worker)) this.#behind = [...this.#behind, waiting]
      else this.#waiting.set(arrival.worker, waiting)
      this.#changed?.()
    })
  }

  join(worker: number): void {
    this.#living.add(worker)
  }

  leave(worker: number): void {
    this.#living.delete(worker)
    this.#waiting.delete(worker)
    this.#behind = this.#behind.filter((each) => each.worker !== worker)
    this.#changed?.()
  }

  /**
   * Resolves when every living worker waits.
   *
   * @throws Error naming the worker that neither arrives anywhere nor ends.
   */
  async quiet(): Promise<readonly Arrival[]> {
    while (this.#waiting.size < this.#living.size) {
      await new Promise<void>((resolve, reject) => {
        const hanging = setTimeout(() => {
          const missing = [...this.#living].filter((worker) => !this.#waiting.has(worker))
          reject(new Error(`worker ${missing.join(', ')} waits for something that never comes`))
        }, HANGS_AFTER_MS)
        this.#changed = () => {
          clearTimeout(hanging)
          resolve()
        }
      })
      this.#changed = undefined
    }
    return [...this.#waiting.values()].sort((a, b) => a.worker - b.worker)
  }

  pass(worker: number, order: unknown): void {
    const waiting = this.#waiting.get(worker)
    this.#waiting.delete(worker)
    const next = this.#behind.find((each) => each.worker === worker)
    if (next !== undefined) {
      this.#waiting.set(worker, next)
      this.#behind = this.#behind.filter((each) => each !== next)
    }
    waiting?.pass(order)
  }
}
