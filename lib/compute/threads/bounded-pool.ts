import { dirname, join } from 'node:path'
import { Piscina } from 'piscina'
import { ConcurrencyLimiter } from '#lib/platform/limits/concurrency-limiter.ts'
import { currentRequest, type RequestScope } from '#lib/platform/telemetry/request-scope.ts'
import { type OpenSpan, traced } from '#lib/platform/telemetry/tracing.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { type Overload, overloaded } from '#lib/protocol/overload.ts'
import { ABANDONED, type PoolTask, STARTED } from './task.ts'

export interface BoundedPoolOptions {
  /** File the threads start with, from the project's root; its default export takes the task. */
  readonly worker: string
  /** Wall clock of one task, without the time it waited in the queue. */
  readonly timeoutMs: number
  /** Tasks that may wait; one client may have half of all that run and wait. */
  readonly maxQueue: number
  /** Reason of the 503 beyond that. */
  readonly overload: Overload
  readonly threads: number
  readonly heapLimitMb: number
  readonly stackMb?: number
  /** Milliseconds that an abandoned task has to stop before its thread is terminated. */
  readonly graceMs?: number
  /** Niceness of its threads; by default that of the process. */
  readonly niceness?: number
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

/** How a task ended; `queue`, `time` and `memory` are the limits, `abandoned` means that its caller aborted it. */
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

const CLIENT_SHARE = 1 / 2

/** Worker threads with a bounded queue that is fair between clients. A failing task costs its own thread, which is replaced. */
export class BoundedPool<Task extends PoolTask, Outcome> {
  readonly #pool: Piscina<Task, Outcome>
  readonly #part: string
  readonly #timeoutMs: number
  readonly #graceMs: number
  // Tasks wait here and not in piscina's queue, which knows no clients and does not bound tasks that can be aborted.
  readonly #limiter: ConcurrencyLimiter
  readonly #unstarted = new Set<AbortController>()
  readonly #outcomes: Record<PoolOutcome, number> = {
    done: 0,
    failed: 0,
    abandoned: 0,
    queue: 0,
    time: 0,
    memory: 0,
  }
  #busyMs = 0
  #refusedAt: number | undefined

  constructor(options: BoundedPoolOptions) {
    this.#part = dirname(options.worker).split('/').at(-1) ?? ''
    this.#timeoutMs = options.timeoutMs
    this.#graceMs = options.graceMs ?? 0
    this.#limiter = new ConcurrencyLimiter({
      max: options.threads,
      maxQueue: options.maxQueue,
      maxPerClient: Math.ceil((options.threads + options.maxQueue) * CLIENT_SHARE),
      refuse: () => overloaded(options.overload),
    })
    this.#pool = new Piscina<Task, Outcome>({
      // By path: a bundler moves this module, but not the file the thread starts with.
      filename: join(/* turbopackIgnore: true */ process.cwd(), options.worker),
      minThreads: 1,
      maxThreads: options.threads,
      stricterFIFO: true,
      niceIncrement: options.niceness ?? 0,
      idleTimeout: IDLE_MS,
      resourceLimits: {
        maxOldGenerationSizeMb: options.heapLimitMb,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
        ...(options.stackMb === undefined ? {} : { stackSizeMb: options.stackMb }),
      },
    })
    // A thread that fails without a task could not start; tasks that wait for one would wait for ever.
    this.#pool.on('error', (error) => {
      for (const end of this.#unstarted) end.abort(error)
    })
  }

  /**
   * @param makeTask puts the start marker into the task.
   * @param timeoutMs The pool's by default.
   * @throws {PoolLimit}
   * @throws {Failure} `overloaded` when the queue is full.
   * @throws The reason of `signal` when the caller aborts.
   */
  async run(
    makeTask: (started: Int32Array) => Task,
    signal?: AbortSignal,
    timeoutMs = this.#timeoutMs,
  ): Promise<Outcome> {
    try {
      const outcome = await traced(
        () => ({ name: `thread ${this.#part}` }),
        (span) => this.#runBounded(makeTask, { signal, timeoutMs, span, origin: currentRequest() }),
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
      // A task whose thread is still loading has a slot, but does not run yet.
      running: this.#limiter.active + this.#limiter.waiting - this.#unstarted.size,
      waiting: this.#unstarted.size,
      outcomes: { ...this.#outcomes },
      busySeconds: this.#busyMs / 1000,
      refusedAgoSeconds: this.#refusedAt && (performance.now() - this.#refusedAt) / 1000,
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }

  async #runBounded(
    makeTask: (started: Int32Array) => Task,
    { signal, timeoutMs, span, origin }: TaskContext,
  ): Promise<Outcome> {
    const queuedAt = performance.now()
    const started = new Int32Array(new SharedArrayBuffer(8))
    const end = new AbortController()
    let timer: NodeJS.Timeout | undefined
    let startedAt: number | undefined
    const startTimer = () => {
      this.#unstarted.delete(end)
      if (end.signal.aborted) return
      startedAt = performance.now()
      span?.set({ 'weft.waited_ms': startedAt - queuedAt })
      timer = setTimeout(() => end.abort(new PoolLimit('time')), timeoutMs)
    }
    let grace: NodeJS.Timeout | undefined
    const abandon = () => {
      Atomics.store(started, ABANDONED, 1)
      const graceMs = startedAt === undefined ? 0 : this.#graceMs
      if (graceMs === 0) end.abort(signal?.reason)
      else grace = setTimeout(() => end.abort(signal?.reason), graceMs)
    }
    this.#unstarted.add(end)
    const start = Atomics.waitAsync(started, STARTED, 0)
    if (start.async) void start.value.then(startTimer)
    else startTimer()
    if (signal?.aborted) abandon()
    else signal?.addEventListener('abort', abandon, { once: true })
    try {
      const outcome = await this.#limiter.run(
        () => this.#pool.run({ ...makeTask(started), origin: withoutClient(origin) }, { signal: end.signal }),
        origin?.client,
        end.signal,
      )
      signal?.throwIfAborted()
      return outcome
    } catch (error) {
      if (end.signal.aborted) throw end.signal.reason
      if (signal?.aborted) throw signal.reason
      if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new PoolLimit('memory')
      }
      throw error
    } finally {
      end.abort()
      clearTimeout(timer)
      clearTimeout(grace)
      signal?.removeEventListener('abort', abandon)
      if (startedAt !== undefined) this.#busyMs += performance.now() - startedAt
      this.#unstarted.delete(end)
      Atomics.notify(started, STARTED)
    }
  }
}

interface TaskContext {
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly span: OpenSpan | undefined
  readonly origin: RequestScope | undefined
}

function outcomeOf(error: unknown): PoolOutcome {
  if (error instanceof PoolLimit) return error.limit
  return error instanceof Failure && error.code === 'overloaded' ? 'queue' : 'failed'
}

/** Logs must not contain client addresses. */
function withoutClient(origin: RequestScope | undefined): PoolTask['origin'] {
  if (origin === undefined) return undefined
  const { client: _, ...rest } = origin
  return rest
}
