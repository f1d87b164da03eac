/** What has become of the newest question. */
export interface LatestState<Q, A> {
  /**
   * - `idle`: nothing was asked
   * - `waiting`: the question may still change
   * - `running`: under way since `sinceMs`
   * - `done`: `answer` is that of `question`
   * - `cancelled`, `failed`: `question` has no answer; `message` says why
   */
  readonly phase: 'idle' | 'waiting' | 'running' | 'done' | 'cancelled' | 'failed'
  readonly question: Q | undefined
  readonly sinceMs: number
  readonly message: string
  /** The newest answer there is, whatever question it belongs to. */
  readonly answer: Answered<Q, A> | undefined
  /** The newest answer that was worth keeping; while the newest question has none, also one that came sooner. */
  readonly kept: Answered<Q, A> | undefined
  /** The answer is another than the one that came sooner. */
  readonly differed?: boolean
}

export interface Answered<Q, A> {
  readonly question: Q
  readonly answer: A
  readonly tookMs: number
  /** A sooner answer that nothing has confirmed yet. */
  readonly unconfirmed?: true
}

export interface Latest<Q, A> {
  /** Asks, unless it is what was asked last; undefined takes the question back, answers stay. */
  ask(question: Q | undefined): void
  /** Asks the newest question once more, at once. */
  again(): void
  cancel(): void
  getState(): LatestState<Q, A>
  subscribe(listener: () => void): () => void
}

/** An optimistic answer: available earlier, and valid until `send` has answered. */
export interface Sooner<Q, A> {
  /** Called with every question, without debounce. Undefined, or a rejection, means that there is no such answer. */
  readonly send: (question: Q, signal: AbortSignal) => Promise<A | undefined>
  /** Debounce of `LatestOptions.send` in milliseconds for a question that has an optimistic answer. */
  readonly confirmAfterMs: number
  readonly isSame: (sooner: A, answer: A) => boolean
  /** Told of every answer of `send` proper, with what had come sooner. */
  readonly learn?: (question: Q, answer: A, differed: boolean) => void
}

export interface LatestOptions<Q, A> {
  readonly send: (question: Q, signal: AbortSignal) => Promise<A>
  /** While a question keeps changing, only where it rests is worth sending. */
  readonly restMs: number
  readonly keep?: (answer: A) => boolean
  /** Milliseconds until asking again is worth it; undefined when it is not. */
  readonly retryAfterMs?: (error: unknown) => number | undefined
  readonly sooner?: Sooner<Q, A>
}

/** How often a question is asked again by itself. */
const RETRIES = 3

/**
 * Follows a changing question: sends the newest, ends whatever is under way for an older one, and keeps the last
 * answer that was good until there is a better one.
 */
export function createLatest<Q, A>(options: LatestOptions<Q, A>): Latest<Q, A> {
  const { send, restMs, keep = () => true, retryAfterMs = () => undefined, sooner } = options
  const listeners = new Set<() => void>()
  let state: LatestState<Q, A> = {
    phase: 'idle',
    question: undefined,
    sinceMs: 0,
    message: '',
    answer: undefined,
    kept: undefined,
  }
  let key: string | undefined
  let stop: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  /** What was kept and is confirmed. */
  let confirmed: Answered<Q, A> | undefined
  /** Of the newest question. */
  let early: Answered<Q, A> | undefined
  let stopEarly: AbortController | undefined
  /** Numbers questions; `shown` is the newest of those whose sooner answer was shown, or that is answered. */
  let asked = 0
  let shown = 0

  const become = (next: Partial<LatestState<Q, A>>) => {
    state = { ...state, ...next }
    for (const listener of [...listeners]) listener()
  }

  const schedule = (question: Q, delayMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => run(question, 0), delayMs)
  }

  const end = () => {
    clearTimeout(timer)
    stop?.abort()
    stop = undefined
  }

  const run = (question: Q, attempt: number) => {
    const controller = new AbortController()
    stop = controller
    const sinceMs = attempt === 0 ? performance.now() : state.sinceMs
    become({ phase: 'running', sinceMs, message: '' })
    send(question, controller.signal).then(
      (answer) => {
        if (controller.signal.aborted) return
        settle({ question, answer, tookMs: performance.now() - sinceMs })
      },
      (error: unknown) => {
        if (controller.signal.aborted) return
        const pause = attempt < RETRIES ? retryAfterMs(error) : undefined
        if (pause !== undefined) {
          timer = setTimeout(() => run(question, attempt + 1), pause)
          return
        }
        become({ phase: 'failed', message: error instanceof Error ? error.message : String(error) })
      },
    )
  }

  const settle = (answered: Answered<Q, A>) => {
    const { question, answer } = answered
    const same = early !== undefined && sooner?.isSame(early.answer, answer) === true
    const differed = early !== undefined && !same
    if (keep(answer)) {
      // What is shown already stays the same object: nothing has to be drawn again.
      confirmed =
        same && early ? { question: early.question, answer: early.answer, tookMs: early.tookMs } : answered
    }
    shown = asked
    become({ phase: 'done', answer: answered, kept: confirmed, differed })
    sooner?.learn?.(question, answer, differed)
  }

  const askSooner = (question: Q) => {
    if (sooner === undefined) return
    const own = asked
    const began = performance.now()
    const controller = new AbortController()
    stopEarly = controller
    sooner.send(question, controller.signal).then(
      (answer) => {
        // While questions come faster than answers, the answers still show where they are going.
        if (answer === undefined || own <= shown || state.question === undefined || !keep(answer)) return
        shown = own
        const found = { question, answer, tookMs: performance.now() - began, unconfirmed: true as const }
        if (own === asked) {
          early = found
          if (state.phase === 'waiting') schedule(question, sooner.confirmAfterMs - found.tookMs)
        }
        become({ kept: found })
      },
      () => {
        // There is no such answer, then.
      },
    )
  }

  return {
    ask(question) {
      const nextKey = question === undefined ? undefined : JSON.stringify(question)
      if (nextKey === key) return
      key = nextKey
      end()
      stopEarly?.abort()
      asked += 1
      early = undefined
      if (question === undefined) {
        become({ phase: 'idle', question, kept: confirmed })
        return
      }
      become({ phase: 'waiting', question, message: '', differed: false })
      schedule(question, restMs)
      askSooner(question)
    },
    again() {
      const { question } = state
      if (question === undefined) return
      end()
      run(question, 0)
    },
    cancel() {
      if (state.phase !== 'waiting' && state.phase !== 'running') return
      end()
      become({ phase: 'cancelled' })
    },
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
