import { setImmediate as afterThisTurn } from 'node:timers/promises'

/**
 * Lets callers share runs of `run`: each gets the result of one that began after it asked, so what it hears is never
 * older than its question. A run begins when all that arrived together has asked; one runs and one waits at most.
 */
export function grouped<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<T> | undefined

  const begin = async (): Promise<T> => {
    await running
    await afterThisTurn()
    waiting = undefined
    const own = run()
    running = own.catch(() => undefined)
    return own
  }
  return () => {
    waiting ??= begin()
    return waiting
  }
}
