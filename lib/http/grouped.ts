/**
 * Lets callers share runs of `run`: each gets the result of one that began after it asked, so what it hears is never
 * older than its question. At most one runs and one waits.
 */
export function grouped<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let waiting: Promise<T> | undefined

  const start = (): Promise<T> => {
    const own = run().finally(() => {
      if (running === own) running = undefined
    })
    running = own
    return own
  }
  return () => {
    if (waiting !== undefined) return waiting
    if (running === undefined) return start()
    const next = () => {
      waiting = undefined
      return start()
    }
    waiting = running.then(next, next)
    return waiting
  }
}
