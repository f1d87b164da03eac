/** Lets so many in at a time; those who wait come in by turns between who asks, so that nobody waits for all of another's. */
export interface Turns {
  /**
   * @param key Who asks; undefined is one of them.
   * @returns Once it is their turn; whoever came in has to `leave`.
   * @throws The reason of `signal`, when it ends the waiting.
   */
  enter(key: string | undefined, signal: AbortSignal): Promise<void>
  leave(): void
}

export function createTurns(places: number): Turns {
  let free = places
  /** Who waits, each with what lets them in, in the order of their next turns. */
  const waiting = new Map<string | undefined, Set<() => void>>()

  const wait = (key: string | undefined, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const own = waiting.get(key) ?? new Set()
      waiting.set(key, own)
      const come = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = () => {
        own.delete(come)
        if (own.size === 0) waiting.delete(key)
        reject(signal.reason)
      }
      own.add(come)
      signal.addEventListener('abort', giveUp, { once: true })
    })

  return {
    enter: async (key, signal) => {
      signal.throwIfAborted()
      if (free === 0) return wait(key, signal)
      free -= 1
    },
    leave: () => {
      for (const [key, own] of waiting) {
        waiting.delete(key)
        const [come] = own
        if (come === undefined) continue
        own.delete(come)
        // Behind everybody else who waits.
        if (own.size > 0) waiting.set(key, own)
        come()
        return
      }
      free += 1
    },
  }
}
