export interface Measured<T> {
  readonly result: T
  /** Most memory the process held meanwhile, above what it held before. */
  readonly grownMiB: number
}

const LOOK_EVERY_MS = 2

/** Runs work on other threads, and samples the process meanwhile. */
export async function measure<T>(action: () => Promise<T>): Promise<Measured<T>> {
  const before = process.memoryUsage.rss()
  let most = before
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  try {
    const result = await action()
    look()
    return {
      result,
      grownMiB: Math.round((most - before) / 1024 / 1024),
    }
  } finally {
    clearInterval(timer)
  }
}
