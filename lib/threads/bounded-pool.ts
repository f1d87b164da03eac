import { dirname, join } from 'node:path'
import { Piscina } from 'piscina'
import { createRoom, type Room } from '../limits/room.ts'
import { currentRequest, type RequestScope } from '../telemetry/request-scope.ts'
import { type OpenSpan, traced } from '../telemetry/tracing.ts'
import { type PoolTask, STARTED, UNWANTED } from './task.ts'
import { createTurns, type Turns } from './turns.ts'

export interface BoundedPoolOptions {
  /** File the threads start with, from the project's root; its default export takes the task. */
  readonly worker: string
  /** Wall clock of one task, without the time it waited in the queue. */
  readonly timeoutMs: number
  /** Tasks that may wait; one more is refused, and of one client one more than half of all there may be. */
  readonly maxQueue: number
  readonly threads: number
  readonly heapLimitMb: number
  readonly stackMb?: number
  /** Milliseconds that a task which nobody waits for has to stop by itself before its thread is ended. */
  readonly graceMs?: number
  /** How far its threads give way to the process's own, as of `nice`; unset, not at all. */
  readonly niceness?: number
}

/** What a pool is doing, and what became of its tasks so far. */
export interface PoolLoad {
  readonly running: number
  readonly waiting: number
  readonly outcomes: Readonly<Record<PoolOutcome, number>>
  /** Seconds that tasks spent on a thread, all together. */
  readonly busySeconds: number
  /** Seconds since work was turned away last, for too much was waiting; undefined when none was. */
  readonly refusedAgoSeconds: number | undefined
}

/** How a task ended; `queue`, `time` and `memory` are the limits, `abandoned` means that its caller gave up. */
export type PoolOutcome = 'done' | 'failed' | 'abandoned' | PoolLimit['limit']

/** Something that can say how loaded it is. */
export interface Loaded {
  load(): PoolLoad
}

export class PoolLimit extends Error {
  override readonly name = 'PoolLimit'
  readonly limit: 'queue' | 'time' | 'memory'

  constructor(limit: PoolLimit['limit']) {
    super(`thread pool limit: ${limit}`)
    this.limit = limit
  }
}

/** Loading a compiler or an EVM takes a good part of a second, so extra threads stay for a while. */
const IDLE_MS = 60_000

/** A part of what a pool takes is what one client may have of it. */
const CLIENTS_SHARE = 2

/**
 * Worker threads with a bounded queue: a task that goes wrong costs its own thread, which is replaced. Clients that wait
 * are served by turns.
 */
export class BoundedPool<Task extends PoolTask, Outcome> {
  readonly #pool: Piscina<Task, Outcome>
  readonly #part: string
  readonly #timeoutMs: number
  readonly #graceMs: number
  readonly #capacity: number
  readonly #clients: Room
  // Tasks wait here and not in piscina's queue, which knows neither clients nor, for tasks that can be aborted, a limit.
  readonly #turns: Turns
  #admitted = 0
  readonly #waiting = new Set<AbortController>()
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
    this.#capacity = options.threads + options.maxQueue
    this.#clients = createRoom(Math.ceil(this.#capacity / CLIENTS_SHARE))
    this.#turns = createTurns(options.threads)
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
        ...(options.stackMb === undefined ? {} : { stackSizeMb: options.stackMb }),
      },
    })
    // A thread that fails without a task could not start; those who wait for one would wait for ever.
    this.#pool.on('error', (error) => {
      for (const end of this.#waiting) end.abort(error)
    })
  }

  /**
   * @param makeTask puts the start marker into the task.
   * @throws PoolLimit, or the reason of `signal` when the caller gave up.
   */
  async run(makeTask: (started: Int32Array) => Task, signal?: AbortSignal): Promise<Outcome> {
    const origin = currentRequest()
    const leave = this.#admitted < this.#capacity ? this.#clients.enter(origin?.client) : undefined
    if (leave === undefined) {
      this.#outcomes.queue += 1
      this.#refusedAt = performance.now()
      throw new PoolLimit('queue')
    }
    this.#admitted += 1
    try {
      const outcome = await traced(
        () => ({ name: `thread ${this.#part}` }),
        (span) => this.#runBounded(makeTask, { signal, span, origin }),
      )
      this.#outcomes.done += 1
      return outcome
    } catch (error) {
      const abandoned = signal?.aborted === true && error === signal.reason
      this.#outcomes[abandoned ? 'abandoned' : error instanceof PoolLimit ? error.limit : 'failed'] += 1
      throw error
    } finally {
      this.#admitted -= 1
      leave()
    }
  }

  load(): PoolLoad {
    return {
      running: this.#admitted - this.#waiting.size,
      waiting: this.#waiting.size,
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
    { signal, span, origin }: Asked,
  ): Promise<Outcome> {
    const askedAt = performance.now()
    const started = new Int32Array(new SharedArrayBuffer(8))
    const end = new AbortController()
    let timer: NodeJS.Timeout | undefined
    let startedAt: number | undefined
    const startTimer = () => {
      this.#waiting.delete(end)
      if (end.signal.aborted) return
      startedAt = performance.now()
      span?.set({ 'weft.waited_ms': startedAt - askedAt })
      timer = setTimeout(() => end.abort(new PoolLimit('time')), this.#timeoutMs)
    }
    let grace: NodeJS.Timeout | undefined
    const giveUp = () => {
      Atomics.store(started, UNWANTED, 1)
      const patience = startedAt === undefined ? 0 : this.#graceMs
      if (patience === 0) end.abort(signal?.reason)
      else grace = setTimeout(() => end.abort(signal?.reason), patience)
    }
    this.#waiting.add(end)
    const start = Atomics.waitAsync(started, STARTED, 0)
    if (start.async) void start.value.then(startTimer)
    else startTimer()
    if (signal?.aborted) giveUp()
    else signal?.addEventListener('abort', giveUp, { once: true })
    try {
      const outcome = await this.#inTurn(makeTask(started), origin, end.signal)
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
      signal?.removeEventListener('abort', giveUp)
      if (startedAt !== undefined) this.#busyMs += performance.now() - startedAt
      this.#waiting.delete(end)
      Atomics.notify(started, STARTED)
    }
  }
  async #inTurn(task: Task, origin: RequestScope | undefined, signal: AbortSignal): Promise<Outcome> {
    await this.#turns.enter(origin?.client, signal)
    try {
      return await this.#pool.run({ ...task, origin: withoutClient(origin) }, { signal })
    } finally {
      this.#turns.leave()
    }
  }
}

/** Who waits for a task. */
interface Asked {
  readonly signal: AbortSignal | undefined
  readonly span: OpenSpan | undefined
  readonly origin: RequestScope | undefined
}

/** As logs may have it. */
function withoutClient(origin: RequestScope | undefined): PoolTask['origin'] {
  if (origin === undefined) return undefined
  const { client: _, ...rest } = origin
  return rest
}
