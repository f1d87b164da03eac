interface Flight<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  waiting: number
}

/**
 * Deduplicates concurrent calls with equal keys. A caller that aborts does not affect the others; the work is cancelled
 * when the last one aborts.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>()

  async run(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted()
    const flight = this.#flights.get(key) ?? this.#depart(key, work)
    flight.waiting += 1
    let giveUp = () => {}
    try {
      if (signal === undefined) return await flight.result
      const given = new Promise<never>((_, reject) => {
        giveUp = () => reject(signal.reason)
        signal.addEventListener('abort', giveUp)
      })
      return await Promise.race([flight.result, given])
    } finally {
      signal?.removeEventListener('abort', giveUp)
      flight.waiting -= 1
      if (flight.waiting === 0) {
        if (this.#flights.get(key) === flight) this.#flights.delete(key)
        flight.controller.abort()
      }
    }
  }

  #depart(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController()
    const flight = { result: work(controller.signal), controller, waiting: 0 }
    // All callers may have aborted by the time it fails.
    flight.result.catch(() => {})
    this.#flights.set(key, flight)
    return flight
  }
}
