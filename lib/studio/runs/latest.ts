import { NoAnswer, Refusal } from '#lib/browser/requests.ts'
import { createValue, type Readable } from '#lib/browser/value.ts'

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
  /** The newest answer for which `isGood`. */
  readonly lastGood: Answered<Q, A> | undefined
}

export interface Answered<Q, A> {
  readonly question: Q
  readonly answer: A
  readonly tookMs: number
}

export interface Latest<Q, A> extends Readable<LatestState<Q, A>> {
  /** Sends a question unless it is the same as the last one; undefined withdraws the question, answers stay. */
  ask(question: Q | undefined): void
  /** Sends the newest question again, without debounce. */
  again(): void
  cancel(): void
}

export interface LatestOptions<Q, A> {
  readonly send: (question: Q, signal: AbortSignal) => Promise<A>
  readonly debounceMs: number
  readonly isGood?: (answer: A) => boolean
  /** By default questions are the same that are written alike. */
  readonly isSame?: (one: Q, other: Q) => boolean
  /** Delay of a retry in milliseconds; undefined for none. */
  readonly retryAfterMs?: (error: unknown) => number | undefined
  /** By default 3. */
  readonly maxRetries?: number
  /**
   * Answers sooner than `send`, and in its place: called for every question, without debounce. Undefined, a rejection, an
   * answer that is not good, or none within a second leaves the question to `send`.
   */
  readonly local?: (question: Q, signal: AbortSignal) => Promise<A | undefined>
  /** Called with every answer of `send`. */
  readonly onAnswer?: (question: Q, answer: A) => void
}

/** Timeout of `local`, after which `send` is called as well: the first answer of the two counts. */
const LOCAL_MS = 1000

/** Phases without a pending request. */
const ENDED: readonly LatestState<unknown, unknown>['phase'][] = ['idle', 'cancelled']

/**
 * Sends the newest of a series of queries, debounced; aborts the request of an older one and retains its last good
 * answer.
 */
export function createLatest<Q, A>(options: LatestOptions<Q, A>): Latest<Q, A> {
  const { send, debounceMs, isGood = () => true, maxRetries = 3, local, onAnswer } = options
  const state = createValue<LatestState<Q, A>>({
    phase: 'idle',
    question: undefined,
    sinceMs: 0,
    message: '',
    answer: undefined,
    lastGood: undefined,
  })
  const { isSame = writtenAlike } = options
  let last: Q | undefined
  let stop: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopLocal: AbortController | undefined
  /** Numbers of the newest question, and of the newest one whose answer was shown. */
  let newest = 0
  let shown = 0

  const setState = (next: Partial<LatestState<Q, A>>) => state.setState({ ...state.getState(), ...next })

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
    stopLocal?.abort()
    shown = newest
    setState({ phase: 'done', answer: answered, ...(isGood(answered.answer) && { lastGood: answered }) })
    onAnswer?.(answered.question, answered.answer)
  }

  const schedule = (question: Q, delayMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => run(question, 0), delayMs)
  }

  const askLocally = (question: Q, ask: NonNullable<typeof local>) => {
    const own = newest
    const began = performance.now()
    const controller = new AbortController()
    stopLocal = controller
    const decline = () => {
      if (own === newest && state.getState().phase === 'waiting')
        schedule(question, debounceMs - (performance.now() - began))
    }
    ask(question, controller.signal).then((answer) => {
      // While questions come faster than answers, answers to older questions still show progress.
      if (own <= shown || ENDED.includes(state.getState().phase)) return
      if (answer === undefined || !isGood(answer)) return decline()
      shown = own
      const result = { question, answer, tookMs: performance.now() - began }
      if (own !== newest) return setState({ lastGood: result })
      end()
      setState({ phase: 'done', answer: result, lastGood: result })
    }, decline)
  }

  return {
    ask(question) {
      const isLast = question === undefined || last === undefined ? question === last : isSame(question, last)
      if (isLast) return
      last = question
      end()
      stopLocal?.abort()
      newest += 1
      if (question === undefined) {
        setState({ phase: 'idle', question })
        return
      }
      setState({ phase: 'waiting', question, message: '' })
      schedule(question, local === undefined ? debounceMs : debounceMs + LOCAL_MS)
      if (local !== undefined) askLocally(question, local)
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

function writtenAlike<Q>(one: Q, other: Q): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const UNREACHABLE_RETRY_MS = 5_000

/** Delay in milliseconds before a request to this site is sent again; undefined where that is no use. */
export function retryAfterMs(error: unknown): number | undefined {
  if (error instanceof NoAnswer) return UNREACHABLE_RETRY_MS
  return error instanceof Refusal ? error.retryAfterMs : undefined
}
