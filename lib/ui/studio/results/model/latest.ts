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
  /** The newest answer that was worth keeping. */
  readonly kept: Answered<Q, A> | undefined
}

export interface Answered<Q, A> {
  readonly question: Q
  readonly answer: A
  readonly tookMs: number
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

export interface LatestOptions<Q, A> {
  readonly send: (question: Q, signal: AbortSignal) => Promise<A>
  /** While a question keeps changing, only where it rests is worth sending. */
  readonly restMs: number
  readonly keep?: (answer: A) => boolean
  /** Milliseconds until asking again is worth it; undefined when it is not. */
  readonly retryAfterMs?: (error: unknown) => number | undefined
}

/** How often a question is asked again by itself. */
const RETRIES = 3

/**
 * Follows a changing question: sends the newest, ends whatever is under way for an older one, and keeps the last
 * answer that was good until there is a better one.
 */
export function createLatest<Q, A>(options: LatestOptions<Q, A>): Latest<Q, A> {
  const { send, restMs, keep = () => true, retryAfterMs = () => undefined } = options
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

  const become = (next: Partial<LatestState<Q, A>>) => {
    state = { ...state, ...next }
    for (const listener of [...listeners]) listener()
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
        const answered = { question, answer, tookMs: performance.now() - sinceMs }
        become({ phase: 'done', answer: answered, ...(keep(answer) && { kept: answered }) })
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

  return {
    ask(question) {
      const nextKey = question === undefined ? undefined : JSON.stringify(question)
      if (nextKey === key) return
      key = nextKey
      end()
      if (question === undefined) {
        become({ phase: 'idle', question })
        return
      }
      become({ phase: 'waiting', question, message: '' })
      timer = setTimeout(() => run(question, 0), restMs)
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
