import type { Task, TaskAnswer } from './messages.ts'

/** What is used of a `Worker`. */
export interface WorkerLike {
  postMessage(message: unknown): void
  terminate(): void
  onmessage: ((event: { readonly data: TaskAnswer }) => void) | null
  onerror: ((event: unknown) => void) | null
}

/** The engine in a worker of its own: one run at a time, and of those that wait only the newest. */
export interface BrowserEngine {
  /**
   * Runs a task.
   *
   * @param prepare Makes the task when its turn has come, for the worker that will do it.
   * @returns undefined when a newer one takes its place, or the worker cannot do it.
   */
  run(prepare: (worker: WorkerMemory) => Omit<Task, 'id'>): Promise<TaskAnswer | undefined>
  /** Ends the worker; the next run has a new one. */
  reset(): void
}

/** Workers that may end in a row without an answer; after so many there are no more. */
const MAX_LOST = 3

/** What the worker has been given, so that nothing is sent twice. It ends with the worker. */
export type WorkerMemory = Set<string>

export interface BrowserEngineOptions {
  /** Undefined where there are no workers. */
  readonly open: () => WorkerLike | undefined
  /** A run that takes longer ends with its worker. */
  readonly patienceMs: number
}

interface Waiting {
  readonly prepare: (worker: WorkerMemory) => Omit<Task, 'id'>
  readonly settle: (answer: TaskAnswer | undefined) => void
}

export function createBrowserEngine({ open, patienceMs }: BrowserEngineOptions): BrowserEngine {
  let worker: WorkerLike | undefined
  let memory: WorkerMemory = new Set()
  let running: (Waiting & { readonly id: number }) | undefined
  let next: Waiting | undefined
  let watchdog: ReturnType<typeof setTimeout> | undefined
  let lastId = 0
  let lost = 0

  const end = () => {
    worker?.terminate()
    worker = undefined
    memory = new Set()
  }

  const settle = (answer: TaskAnswer | undefined) => {
    clearTimeout(watchdog)
    const done = running
    running = undefined
    done?.settle(answer)
    start()
  }

  const giveUp = () => {
    lost += 1
    end()
    settle(undefined)
  }

  const openWorker = (): WorkerLike | undefined => {
    const opened = open()
    if (opened === undefined) return undefined
    // What an ended worker still had to say is nobody's answer.
    opened.onmessage = ({ data }) => {
      if (opened !== worker || data.id !== running?.id) return
      lost = 0
      settle(data)
    }
    opened.onerror = () => {
      if (opened === worker) giveUp()
    }
    return opened
  }

  const start = () => {
    const first = next
    if (first === undefined || running !== undefined) return
    next = undefined
    worker ??= lost < MAX_LOST ? openWorker() : undefined
    if (worker === undefined) {
      first.settle(undefined)
      return
    }
    lastId += 1
    running = { ...first, id: lastId }
    watchdog = setTimeout(giveUp, patienceMs)
    worker.postMessage({ id: lastId, ...first.prepare(memory) } satisfies Task)
  }

  return {
    run: (prepare) =>
      new Promise((done) => {
        next?.settle(undefined)
        next = { prepare, settle: done }
        start()
      }),
    reset() {
      next?.settle(undefined)
      next = undefined
      end()
      settle(undefined)
    },
  }
}
