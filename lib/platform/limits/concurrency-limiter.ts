import type { Failure } from '#lib/protocol/failure.ts'

export interface ConcurrencyLimits {
  /** Holders at a time. */
  readonly max: number
  /** How many may wait for a slot; by default none, so that what finds no slot is refused at once. */
  readonly maxQueue?: number
  /** Slots and places in the queue of one client; by default as many as there are. */
  readonly maxPerClient?: number
  /** What is thrown beyond the limit of all clients or of one. */
  readonly refuse: (limit: 'all' | 'client') => Failure
}

/** Releases the slot; later calls have no effect. */
export type Release = () => void

/**
 * Bounds concurrent work with a bounded FIFO queue, round-robin between clients: no client waits for all of another's.
 * Work without a client counts as one more client, without a separate limit.
 */
export class ConcurrencyLimiter {
  readonly #limits: Required<ConcurrencyLimits>
  /** Slots and places in the queue that each client has. */
  readonly #perClient = new Map<string, number>()
  /** Resolvers of those that wait, by client, in the order of the clients' next turns. */
  readonly #queues = new Map<string | undefined, Set<() => void>>()
  #active = 0
  #waiting = 0

  constructor(limits: ConcurrencyLimits) {
    this.#limits = { maxQueue: 0, maxPerClient: Number.POSITIVE_INFINITY, ...limits }
  }

  get active(): number {
    return this.#active
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Runs `work` in a slot. @throws {Failure} as `acquire` does. */
  async run<T>(work: () => Promise<T>, client?: string, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(client, signal)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /**
   * Takes a slot, waiting in the queue where there is one.
   *
   * @throws {Failure} `limits.refuse` at once when the queue, or the client's part of it, is full.
   * @throws The reason of `signal` when it aborts the wait.
   */
  async acquire(client?: string, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted()
    const { max, maxQueue, maxPerClient, refuse } = this.#limits
    if (this.#active + this.#waiting >= max + maxQueue) throw refuse('all')
    if (client !== undefined && (this.#perClient.get(client) ?? 0) >= maxPerClient) throw refuse('client')
    this.#count(client, 1)
    if (this.#active < max) this.#active += 1
    else await this.#wait(client, signal)
    let released = false
    return () => {
      if (released) return
      released = true
      this.#count(client, -1)
      this.#handOver()
    }
  }

  #count(client: string | undefined, change: 1 | -1): void {
    if (client === undefined) return
    const count = (this.#perClient.get(client) ?? 0) + change
    if (count > 0) this.#perClient.set(client, count)
    else this.#perClient.delete(client)
  }

  #wait(client: string | undefined, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(client) ?? new Set()
      this.#queues.set(client, queue)
      this.#waiting += 1
      const enter = () => {
        this.#waiting -= 1
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const abort = () => {
        queue.delete(enter)
        if (queue.size === 0) this.#queues.delete(client)
        this.#waiting -= 1
        this.#count(client, -1)
        reject(signal?.reason)
      }
      queue.add(enter)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** Assigns a free slot to the next client in the round-robin. */
  #handOver(): void {
    const [next] = this.#queues
    if (next === undefined) {
      this.#active -= 1
      return
    }
    const [client, queue] = next
    const [enter] = queue as Set<() => void>
    queue.delete(enter as () => void)
    this.#queues.delete(client)
    // Behind all other clients that wait.
    if (queue.size > 0) this.#queues.set(client, queue)
    enter?.()
  }
}
