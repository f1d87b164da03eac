import { createValue, type Readable } from '#lib/ui/components/value.ts'

/** State of the newest question. */
export interface LatestState<Q, A> {
  /**
   * - `idle`: there is no question
   * - `waiting`: debounced
   * - `running`: in flight since `sinceMs`; `message` is the error of the attempt before, while it is retried
   * - `done`: `answer` is that of `question`
   * - `cancelled`, `failed`: `question` has no answer; `message` is the reason
   */
  readonly phase: 'idle' | 'waiting' | 'running' | 'done' | 'cancelled' | 'failed'
  readonly question: Q | undefined
  readonly sinceMs: number
  readonly message: string
  /** The newest answer, whatever question it belongs to. */
  readonly answer: Answered<Q, A> | undefined
  /** The newest answer for which `isGood`; until the newest question has one, also an optimistic answer. */
  readonly lastGood: Answered<Q, A> | undefined
  /** Whether the answer differs from the optimistic one. */
  readonly differed?: boolean
}

export interface Answered<Q, A> {
  readonly question: Q
  readonly answer: A
  readonly tookMs: number
  /** An optimistic answer that `send` has not confirmed yet. */
  readonly unconfirmed?: true
}

export interface Latest<Q, A> extends Readable<LatestState<Q, A>> {
  /** Sends a question unless it equals the last one; undefined withdraws the question, answers stay. */
  ask(question: Q | undefined): void
  /** Sends the newest question again, without debounce. */
  again(): void
  cancel(): void
}

/** An optimistic answer: available earlier, and valid until `send` has answered. */
export interface Optimistic<Q, A> {
  /** Called with every question, without debounce. Undefined, or a rejection, means that there is no such answer. */
  readonly send: (question: Q, signal: AbortSignal) => Promise<A | undefined>
  /** Debounce of `LatestOptions.send` in milliseconds for a question that has an optimistic answer. */
  readonly confirmAfterMs: number
  readonly isSame: (optimistic: A, answer: A) => boolean
  /** Called with every answer of `LatestOptions.send`. */
  readonly onAnswer?: (question: Q, answer: A, differed: boolean) => void
}

export interface LatestOptions<Q, A> {
  readonly send: (question: Q, signal: AbortSignal) => Promise<A>
  readonly debounceMs: number
  readonly isGood?: (answer: A) => boolean
  /** Delay of a retry in milliseconds; undefined for none. */
  readonly retryAfterMs?: (error: unknown) => number | undefined
  /** By default 3. */
  readonly maxRetries?: number
  readonly optimistic?: Optimistic<Q, A>
}

/**
 * Sends the newest of a series of queries, debounced; aborts the request of an older one and retains its last good
 * answer.
 */
export function createLatest<Q, A>(options: LatestOptions<Q, A>): Latest<Q, A> {
  const { send, debounceMs, isGood = () => true, maxRetries = 3, optimistic } = options
  const state = createValue<LatestState<Q, A>>({
    phase: 'idle',
    question: undefined,
    sinceMs: 0,
    message: '',
    answer: undefined,
    lastGood: undefined,
  })
  let key: string | undefined
  let stop: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The newest good answer of `send`. */
  let confirmed: Answered<Q, A> | undefined
  /** The optimistic answer to the newest question. */
  let pending: Answered<Q, A> | undefined
  let stopOptimistic: AbortController | undefined
  /** Numbers of the newest question, and of the newest one whose answer, optimistic or not, was shown. */
  let asked = 0
  let shown = 0

  const setState = (next: Partial<LatestState<Q, A>>) => state.setState({ ...state.getState(), ...next })

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
    const sinceMs = attempt === 0 ? performance.now() : state.getState().sinceMs
    setState({ phase: 'running', sinceMs, ...(attempt === 0 && { message: '' }) })
    send(question, controller.signal).then(
      (answer) => {
        if (controller.signal.aborted) return
        accept({ question, answer, tookMs: performance.now() - sinceMs })
      },
      (error: unknown) => {
        if (controller.signal.aborted) return
        const message =
          error instanceof Error && error.message !== '' ? error.message : 'The server has failed'
        const delayMs = attempt < maxRetries ? options.retryAfterMs?.(error) : undefined
        if (delayMs === undefined) return setState({ phase: 'failed', message })
        setState({ message })
        timer = setTimeout(() => run(question, attempt + 1), delayMs)
      },
    )
  }

  const accept = (answered: Answered<Q, A>) => {
    const { question, answer } = answered
    const same = pending !== undefined && optimistic?.isSame(pending.answer, answer) === true
    const differed = pending !== undefined && !same
    if (isGood(answer)) {
      // The optimistic answer stays the same object, so that nothing renders again.
      confirmed =
        same && pending
          ? { question: pending.question, answer: pending.answer, tookMs: pending.tookMs }
          : answered
    }
    shown = asked
    setState({ phase: 'done', answer: answered, lastGood: confirmed, differed })
    optimistic?.onAnswer?.(question, answer, differed)
  }

  const requestOptimistic = (question: Q) => {
    if (optimistic === undefined) return
    const own = asked
    const began = performance.now()
    const controller = new AbortController()
    stopOptimistic = controller
    optimistic.send(question, controller.signal).then(
      (answer) => {
        // While questions come faster than answers, answers to older questions still show progress.
        if (
          answer === undefined ||
          own <= shown ||
          state.getState().question === undefined ||
          !isGood(answer)
        )
          return
        shown = own
        const found = { question, answer, tookMs: performance.now() - began, unconfirmed: true as const }
        if (own === asked) {
          pending = found
          if (state.getState().phase === 'waiting')
            schedule(question, optimistic.confirmAfterMs - found.tookMs)
        }
        setState({ lastGood: found })
      },
      () => {
        // Then there is no optimistic answer.
      },
    )
  }

  return {
    ask(question) {
      const nextKey = question === undefined ? undefined : JSON.stringify(question)
      if (nextKey === key) return
      key = nextKey
      end()
      stopOptimistic?.abort()
      asked += 1
      pending = undefined
      if (question === undefined) {
        setState({ phase: 'idle', question, lastGood: confirmed })
        return
      }
      setState({ phase: 'waiting', question, message: '', differed: false })
      schedule(question, debounceMs)
      requestOptimistic(question)
    },
    again() {
      const { question } = state.getState()
      if (question === undefined) return
      end()
      run(question, 0)
    },
    cancel() {
      if (state.getState().phase !== 'waiting' && state.getState().phase !== 'running') return
      end()
      setState({ phase: 'cancelled' })
    },
    getState: state.getState,
    subscribe: state.subscribe,
  }
}
