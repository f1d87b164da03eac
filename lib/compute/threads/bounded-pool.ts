import { dirname, join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { CORE_SECRETS } from '#lib/platform/config.ts'
import { FairScheduler, type Turn } from '#lib/platform/limits/fair-scheduler.ts'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { currentRequest, type RequestScope } from '#lib/platform/telemetry/request-scope.ts'
import { type OpenSpan, traced } from '#lib/platform/telemetry/tracing.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { type Overload, overloaded } from '#lib/protocol/overload.ts'
import { ABANDONED, type PoolTask, STARTED } from './task.ts'
import type { ThreadData } from './thread-log.ts'

export interface BoundedPoolOptions {
  /** File the threads start with, from the project's root; its default export takes the task. */
  readonly worker: string
  /** Wall clock of one task, without the time it waited in the queue. */
  readonly timeoutMs: number
  /** Tasks that may wait. */
  readonly maxQueue: number
  /** Account of what clients use; by default one of its own. */
  readonly ledger?: UsageLedger | undefined
  /** Reason of the 503 beyond that. */
  readonly overload: Overload
  readonly threads: number
  readonly heapLimitMb: number
  readonly stackMb?: number
  /** Milliseconds that an abandoned task has to stop before its thread is terminated. */
  readonly graceMs?: number
  /** Niceness of its threads; by default that of the process. */
  readonly niceness?: number
  /** Whether one thread more is loaded while tasks last long, to take the place of one that is terminated. */
  readonly spare?: boolean
  /**
   * Start data of threads, as their `workerData`. What a thread returns for the task that only loads it is added to it,
   * for later threads; the first then loads alone.
   */
  readonly threadData?: object
}

/** Current load of a pool, and how its tasks ended so far. */
export interface PoolLoad {
  readonly running: number
  readonly waiting: number
  readonly outcomes: Readonly<Record<PoolOutcome, number>>
  /** Seconds that tasks spent on a thread, in total. */
  readonly busySeconds: number
  /** Seconds since a task was refused last because the queue was full; undefined when none was. */
  readonly refusedAgoSeconds: number | undefined
}

/** End of a task; `queue`, `time` and `memory` are the limits, `abandoned` means that its caller aborted it. */
export type PoolOutcome = 'done' | 'failed' | 'abandoned' | 'queue' | PoolLimit['limit']

export interface Loaded {
  load(): PoolLoad
}

/** A task that exceeded a limit of its pool. */
export class PoolLimit extends Error {
  override readonly name = 'PoolLimit'
  readonly limit: 'time' | 'memory'

  constructor(limit: PoolLimit['limit']) {
    super(`thread pool limit: ${limit}`)
    this.limit = limit
  }
}

/** Loading a compiler or an EVM takes a good part of a second, so idle threads stay for a while. */
const IDLE_MS = 60_000
/** Young objects of one thread, in megabytes; without it Node.js lets each thread hold 192 of them before it collects. */
const YOUNG_GENERATION_MB = 24

/** Milliseconds after which a task yields its thread to waiting ones of clients that used less. */
const SLICE_MS = 1_000
/** Milliseconds of a task after which a spare thread is loaded. */
const LOAD_SPARE_MS = 250

/** Worker threads with a queue that is fair between clients. A failing task costs its own thread, which is replaced. */
export class BoundedPool<Task extends PoolTask, Outcome> {
  readonly #pool: Piscina<Task, Outcome>
  readonly #part: string
  readonly #timeoutMs: number
  readonly #graceMs: number
  readonly #overload: Overload
  readonly #ledger: UsageLedger
  readonly #spare: boolean
  readonly #threads: number
  readonly #threadData: object
  /** Threads to be loaded once the first has, which shares what it loaded. */
  #awaited: number | undefined
  // Tasks wait here and not in piscina's queue, which knows no clients and does not bound tasks that can be aborted.
  readonly #scheduler: FairScheduler
  /** Threads that can take a task: piscina calls its first one ready while that still loads. */
  readonly #loaded = new WeakSet<Worker>()
  readonly #outcomes: Record<PoolOutcome, number> = {
    done: 0,
    failed: 0,
    abandoned: 0,
    queue: 0,
    time: 0,
    memory: 0,
  }
  #busyMs = 0
  /** Time that loading the first thread took: charged to a client whose task costs one. */
  #loadSeconds = 1
  #refusedAt: number | undefined

  constructor(options: BoundedPoolOptions) {
    this.#part = dirname(options.worker).split('/').at(-1) ?? ''
    this.#timeoutMs = options.timeoutMs
    this.#graceMs = options.graceMs ?? 0
    this.#overload = options.overload
    this.#ledger = options.ledger ?? new UsageLedger()
    this.#spare = options.spare ?? false
    this.#threads = options.threads
    if (options.threadData !== undefined) this.#awaited = 1
    this.#scheduler = new FairScheduler({
      ledger: this.#ledger,
      rate: 'threadSeconds',
      places: options.threads,
      maxQueue: options.maxQueue,
      sliceMs: SLICE_MS,
      loaded: () => {
        const { threads } = this.#pool
        const places = threads.filter((thread) => this.#loaded.has(thread)).length
        return { places, isLoading: places < threads.length }
      },
      refuse: () => overloaded(options.overload),
    })
    this.#threadData = Object.assign(options.threadData ?? {}, { secrets: CORE_SECRETS } satisfies ThreadData)
    this.#pool = new Piscina<Task, Outcome>({
      // By path: a bundler moves this module, but not the file the thread starts with.
      filename: join(/* turbopackIgnore: true */ process.cwd(), options.worker),
      minThreads: 1,
      maxThreads: options.threads + (this.#spare ? 1 : 0),
      stricterFIFO: true,
      niceIncrement: options.niceness ?? 0,
      idleTimeout: IDLE_MS,
      workerData: this.#threadData,
      resourceLimits: {
        maxOldGenerationSizeMb: options.heapLimitMb,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
        ...(options.stackMb === undefined ? {} : { stackSizeMb: options.stackMb }),
      },
    })
    // A thread that fails without a task could not start; tasks that wait for one would wait for ever.
    this.#pool.on('error', (error) => this.#scheduler.rejectWaiting(error))
    const [first] = this.#pool.threads
    this.#pool.on('workerCreate', ({ id }: { readonly id: number }) => {
      const thread = this.#pool.threads.find(({ threadId }) => threadId === id)
      if (thread !== undefined && thread !== first) this.#addLoaded(thread)
    })
    const loadsAt = performance.now()
    void this.#loadThread().then((isLoaded) => {
      this.#loadSeconds = (performance.now() - loadsAt) / 1000
      if (isLoaded && first !== undefined) this.#addLoaded(first)
      const awaited = this.#awaited ?? 0
      this.#awaited = undefined
      this.#loadThreads(awaited)
    })
  }

  /**
   * @param makeTask puts the start marker into the task.
   * @throws {PoolLimit}
   * @throws {Failure} `overloaded` when the queue is full.
   * @throws The reason of `signal` when the caller aborts.
   */
  async run(
    makeTask: (started: Int32Array) => Task,
    { signal, timeoutMs = this.#timeoutMs, expectedSeconds = 0 }: TaskOptions = {},
  ): Promise<Outcome> {
    try {
      const outcome = await traced(
        () => ({ name: `thread ${this.#part}` }),
        (span) =>
          this.#runBounded(makeTask, { signal, timeoutMs, expectedSeconds, span, origin: currentRequest() }),
      )
      this.#outcomes.done += 1
      return outcome
    } catch (error) {
      const abandoned = signal?.aborted === true && error === signal.reason
      const outcome = abandoned ? 'abandoned' : outcomeOf(error)
      this.#outcomes[outcome] += 1
      if (outcome === 'queue') this.#refusedAt = performance.now()
      throw error
    }
  }

  load(): PoolLoad {
    return {
      running: this.#scheduler.active,
      waiting: this.#scheduler.waiting,
      outcomes: { ...this.#outcomes },
      busySeconds: this.#busyMs / 1000,
      refusedAgoSeconds: this.#refusedAt && (performance.now() - this.#refusedAt) / 1000,
    }
  }

  close(): Promise<void> {
    this.#scheduler.rejectWaiting(new Error('The threads are stopped'))
    return this.#pool.destroy()
  }

  /** Loads all threads, so that the first tasks do not wait for them. */
  start(): void {
    this.#loadThreads(this.#pool.options.maxThreads)
  }

  #addLoaded(thread: Worker): void {
    this.#loaded.add(thread)
    this.#scheduler.refill()
  }

  /** Loads the threads that there is work for. */
  #loadNeeded(): void {
    this.#loadThreads(Math.min(this.#threads, this.#scheduler.active + this.#scheduler.waiting))
  }

  #loadThreads(count: number): void {
    if (this.#awaited !== undefined) {
      this.#awaited = Math.max(this.#awaited, count)
      return
    }
    for (let i = this.#pool.threads.length; i < count; i++) void this.#loadThread()
  }

  /** Loads a thread where none is idle; a thread that cannot start fails the tasks that wait. */
  async #loadThread(): Promise<boolean> {
    const task = { started: new Int32Array(new SharedArrayBuffer(8)), loadsOnly: true }
    try {
      Object.assign(this.#threadData, await this.#pool.run(task as unknown as Task))
      return true
    } catch (error) {
      this.#scheduler.rejectWaiting(error instanceof Error ? error : new Error(String(error)))
      return false
    }
  }

  async #runBounded(makeTask: (started: Int32Array) => Task, context: TaskContext): Promise<Outcome> {
    const { signal, timeoutMs, origin } = context
    const queuedAt = performance.now()
    const gone = new AbortController()
    const leave = () => gone.abort(signal?.reason)
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave, { once: true })
    try {
      const outcome = this.#scheduler.run(
        (turn) => {
          // Each turn has the whole limit, so that its end says something about the task.
          if (turn.spentMs >= timeoutMs) throw overloaded(this.#overload)
          return this.#runTurn(makeTask, turn, { ...context, gone, queuedAt })
        },
        { ...context, principal: origin?.principal, signal: gone.signal },
      )
      this.#loadNeeded()
      return await outcome
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  async #runTurn(
    makeTask: (started: Int32Array) => Task,
    turn: Turn,
    { gone, timeoutMs, queuedAt, span, origin }: TurnContext,
  ): Promise<Outcome> {
    const { yielding } = turn
    const started = new Int32Array(new SharedArrayBuffer(8))
    const end = new AbortController()
    const timers: NodeJS.Timeout[] = []
    let startedAt: number | undefined
    const onStart = () => {
      if (end.signal.aborted) return
      startedAt = performance.now()
      span?.set({ 'weft.waited_ms': startedAt - queuedAt })
      timers.push(setTimeout(() => end.abort(new PoolLimit('time')), timeoutMs))
      if (this.#spare) timers.push(setTimeout(() => this.start(), LOAD_SPARE_MS))
    }
    const abandon = ({ reason }: AbortSignal) => {
      Atomics.store(started, ABANDONED, 1)
      if (this.#graceMs === 0) end.abort(reason)
      else timers.push(setTimeout(() => end.abort(reason), this.#graceMs))
    }
    const onGone = () => abandon(gone.signal)
    const onYield = () => abandon(yielding)
    gone.signal.addEventListener('abort', onGone, { once: true })
    yielding.addEventListener('abort', onYield, { once: true })
    const start = Atomics.waitAsync(started, STARTED, 0)
    if (start.async) void start.value.then(onStart)
    else onStart()
    try {
      const outcome = await this.#pool.run(
        { ...makeTask(started), origin: loggedPart(origin) },
        { signal: end.signal },
      )
      gone.signal.throwIfAborted()
      yielding.throwIfAborted()
      return outcome
    } catch (error) {
      const isOutOfMemory =
        error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const wasTerminated = end.signal.aborted || isOutOfMemory
      // What loading the next thread takes.
      if (startedAt !== undefined && wasTerminated)
        this.#ledger.charge(origin?.principal, 'threadSeconds', this.#loadSeconds)
      // Those that wait take loaded threads first.
      setImmediate(() => (this.#spare && wasTerminated ? this.start() : this.#loadNeeded()))
      if (end.signal.aborted) throw end.signal.reason
      if (gone.signal.aborted) throw gone.signal.reason
      throw isOutOfMemory ? new PoolLimit('memory') : error
    } finally {
      end.abort()
      for (const timer of timers) clearTimeout(timer)
      gone.signal.removeEventListener('abort', onGone)
      yielding.removeEventListener('abort', onYield)
      if (startedAt !== undefined) this.#busyMs += performance.now() - startedAt
      Atomics.notify(started, STARTED)
    }
  }
}

export interface TaskOptions {
  readonly signal?: AbortSignal | undefined
  /** The pool's by default. */
  readonly timeoutMs?: number
  /** Use that is expected of the task: a short one does not wait for a long one. */
  readonly expectedSeconds?: number
}

interface TaskContext {
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly expectedSeconds: number
  readonly span: OpenSpan | undefined
  readonly origin: RequestScope | undefined
}

interface TurnContext extends Omit<TaskContext, 'signal'> {
  /** Aborted when the caller leaves, or when no thread can start. */
  readonly gone: AbortController
  readonly queuedAt: number
}

function outcomeOf(error: unknown): PoolOutcome {
  if (error instanceof PoolLimit) return error.limit
  return error instanceof Failure && error.code === 'overloaded' ? 'queue' : 'failed'
}

/** Logs must not contain client addresses, and threads take no functions. */
function loggedPart(origin: RequestScope | undefined): PoolTask['origin'] {
  if (origin === undefined) return undefined
  const { client: _client, principal: _principal, leavePlace: _leavePlace, ...rest } = origin
  return rest
}
