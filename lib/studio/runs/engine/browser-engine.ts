import { LOADED } from './messages.ts'

/** Message to or from a worker, with the number of its request, from 1. */
interface Numbered {
  readonly id: number
}

/** A busy machine takes many times as long to load a worker's script as a run takes. */
const LOAD_TIMEOUT_MS = 60_000
/** In the first run of a page nothing is compiled yet, neither the engine nor the piece. */
const FIRST_TIMES = 5

/** Part of `Worker` that is used. */
export interface WorkerLike<A extends Numbered> {
  postMessage(message: unknown): void
  terminate(): void
  onmessage: ((event: { readonly data: A | Numbered }) => void) | null
  onerror: ((event: unknown) => void) | null
}

/** The engine in a web worker: one run at a time; of the queued runs only the newest is retained. */
export interface BrowserEngine<T extends Numbered, A extends Numbered> {
  /**
   * Runs a task.
   *
   * @param prepare Makes the task when its turn has come.
   * @returns undefined when a newer task replaces it, or the worker cannot run it.
   */
  run(prepare: (worker: WorkerMemory) => Omit<T, 'id'>): Promise<A | undefined>
  /** Ends the worker; the next run has a new one. */
  reset(): void
}

/** Workers that may break in a row without an answer; after so many there are no more. */
const MAX_FAILURES = 3

/** State already sent to the worker, so that nothing is sent twice. It ends with the worker. */
export type WorkerMemory = Set<string>

export interface BrowserEngineOptions<A extends Numbered> {
  /** Undefined where there are no workers. */
  readonly open: () => WorkerLike<A> | undefined
  /** A run that takes longer ends with its worker, the first one five times as long; loading its script does not count. */
  readonly timeoutMs: number
}

interface Waiting<T extends Numbered, A extends Numbered> {
  readonly prepare: (worker: WorkerMemory) => Omit<T, 'id'>
  readonly finish: (answer: A | undefined) => void
}

export function createBrowserEngine<T extends Numbered, A extends Numbered>({
  open,
  timeoutMs,
}: BrowserEngineOptions<A>): BrowserEngine<T, A> {
  let worker: WorkerLike<A> | undefined
  let memory: WorkerMemory = new Set()
  let running: (Waiting<T, A> & { readonly id: number }) | undefined
  let next: Waiting<T, A> | undefined
  let loaded = false
  let isFirst = true
  let watchdog: ReturnType<typeof setTimeout> | undefined
  let lastId = 0
  let failures = 0

  const end = () => {
    worker?.terminate()
    worker = undefined
    loaded = false
    memory = new Set()
  }

  const finish = (answer: A | undefined) => {
    clearTimeout(watchdog)
    const done = running
    running = undefined
    isFirst &&= done === undefined
    done?.finish(answer)
    start()
  }

  const abandon = () => {
    end()
    finish(undefined)
  }
  const giveUp = () => {
    failures += 1
    abandon()
  }
  const watch = () => {
    clearTimeout(watchdog)
    watchdog = loaded
      ? setTimeout(abandon, isFirst ? FIRST_TIMES * timeoutMs : timeoutMs)
      : setTimeout(giveUp, LOAD_TIMEOUT_MS)
  }

  const openWorker = (): WorkerLike<A> | undefined => {
    const opened = open()
    if (opened === undefined) return undefined
    // Messages of a terminated worker are ignored.
    opened.onmessage = ({ data }) => {
      if (opened !== worker) return
      if (data.id === LOADED.id) {
        loaded = true
        if (running !== undefined) watch()
      } else if (data.id === running?.id) {
        failures = 0
        finish(data as A)
      }
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
    worker ??= failures < MAX_FAILURES ? openWorker() : undefined
    if (worker === undefined) {
      first.finish(undefined)
      return
    }
    lastId += 1
    running = { ...first, id: lastId }
    watch()
    worker.postMessage({ id: lastId, ...first.prepare(memory) })
  }

  return {
    run: (prepare) =>
      new Promise((done) => {
        next?.finish(undefined)
        next = { prepare, finish: done }
        start()
      }),
    reset() {
      next?.finish(undefined)
      next = undefined
      end()
      finish(undefined)
    },
  }
}
