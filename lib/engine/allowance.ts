import type { CodeArtifact } from '#lib/protocol/artifact.ts'
import { type DeclineReason, type ExactOutcome, RunExhausted, type RunLimits, RunRefused } from './run.ts'
import type { Budget, CallOutcome } from './types.ts'

/** A static call for the exact engine. */
export interface ExactQuery {
  readonly code: CodeArtifact
  readonly calldata: Uint8Array
  /** Reason of the decline where there is no exact engine. */
  readonly declineAs: DeclineReason
  /** Gas beside the run's, where running out of it is an outcome; by default the run's gas is used. */
  readonly ownGas?: bigint
}

/**
 * Computation that yields its calls for the exact engine and resumes with their outcomes: it runs synchronously where
 * there are none, as in browsers.
 */
export type Coroutine<T> = Generator<ExactQuery, T, ExactOutcome>

/**
 * A call within the run's gas.
 *
 * @throws RunExhausted, RunRefused
 */
export function* queryExact(query: Omit<ExactQuery, 'ownGas'>): Coroutine<CallOutcome> {
  const outcome = yield query
  if (outcome.status === 'exhausted') throw new RunExhausted('gas')
  if (outcome.status === 'refused') throw new RunRefused({ name: query.code.name, reads: outcome.reads })
  return outcome
}

const MIN_CHUNK = 64
const MAX_CHUNK = 65_536
const SLOW_CHUNK_MS = 10
/** Steps that a single call may take before the clock is checked: some ten milliseconds. */
const PORTION = 4_000_000
/** Values that are only copied, for the cost of one step. */
const VALUES_A_STEP = 8

/** Steps, gas and time that a run has left. */
export class Allowance {
  /** A portion of the steps, so that no call is longer without a check of the clock. */
  readonly budget: Budget
  gas: bigint
  /** Largest size of the particles as JSON, in bytes. */
  readonly answerBytes: number
  /** Whether the step that reverts is worth more calls. */
  readonly locates: boolean
  readonly #deadline: number
  readonly #cancelled: (() => boolean) | undefined
  #later: number
  #chunk = 1024
  #last = performance.now()

  constructor({ steps, gas, milliseconds, cancelled, answerBytes = Infinity }: RunLimits, locates = false) {
    this.locates = locates
    this.answerBytes = answerBytes
    const first = Math.min(steps, PORTION)
    this.budget = { steps: first, renew: () => this.#renew() }
    this.#later = steps - first
    this.gas = gas
    this.#deadline = this.#last + milliseconds
    this.#cancelled = cancelled
  }

  /** Steps that are left. */
  get steps(): number {
    return this.#later + this.budget.steps
  }

  /** @throws RunExhausted */
  spend(steps: number): void {
    this.budget.steps -= steps
    if (this.budget.steps < 0 && !this.#renew()) throw new RunExhausted('steps')
  }

  #renew(): boolean {
    this.check()
    while (this.budget.steps < 0 && this.#later > 0) {
      const portion = Math.min(this.#later, PORTION)
      this.#later -= portion
      this.budget.steps += portion
    }
    return this.budget.steps >= 0
  }

  /** @throws RunExhausted once no time is left, or the run was cancelled. */
  check(now = performance.now()): void {
    if (now > this.#deadline) throw new RunExhausted('time')
    if (this.#cancelled?.()) throw new RunExhausted('cancelled')
  }

  /**
   * Charges for values that were written without steps: constants.
   *
   * @param paid Steps already charged for them.
   *
   * @throws RunExhausted
   */
  chargeValues(count: number, paid: number): void {
    let due = Math.ceil(count / VALUES_A_STEP) - paid
    while (due > 0) due -= this.nextChunk(due)
  }

  /**
   * Number of steps to run before the next check of the clock, at most `maxCount`; they are charged.
   *
   * @throws RunExhausted
   */
  nextChunk(maxCount: number): number {
    const count = Math.min(maxCount, this.#chunk)
    const now = performance.now()
    this.check(now)
    this.spend(count)
    const slow = now - this.#last > SLOW_CHUNK_MS
    this.#chunk = slow ? Math.max(MIN_CHUNK, this.#chunk >> 2) : Math.min(MAX_CHUNK, this.#chunk << 2)
    this.#last = now
    return count
  }
}
