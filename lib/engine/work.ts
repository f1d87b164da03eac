import type { CodeArtifact } from '../domain/artifact.ts'
import type { DeclineReason, ExactOutcome, RunLimits } from './run.ts'
import { RunExhausted } from './stop.ts'
import type { Budget, CallOutcome } from './types.ts'

/** A question to the exact engine. */
export interface Question {
  readonly code: CodeArtifact
  readonly calldata: Uint8Array
  /** What to say when there is no exact engine. */
  readonly without: DeclineReason
  /** Gas it may use beside the run's; then running out of it is an answer. Absent, it takes from the run's. */
  readonly ownGas?: bigint
}

/**
 * Work that may need the exact engine on the way: it yields each question and goes on with the answer. So the same
 * code runs at once where no question comes up, and waits where one does.
 */
export type Work<T> = Generator<Question, T, ExactOutcome>

/** Asks what has to be answered: `exhausted` comes back only to questions with gas of their own. */
export function* ask(question: Omit<Question, 'ownGas'>): Work<CallOutcome> {
  const outcome = yield question
  if (outcome.status === 'exhausted') throw new RunExhausted('gas')
  return outcome
}

const SMALLEST_BLOCK = 64
const LARGEST_BLOCK = 65_536
const PATIENCE_MS = 10
/** Values that are only written, for what a step costs. */
const VALUES_A_STEP = 8

/** What one run has left, and how it is told to stop. */
export class Allowance {
  readonly budget: Budget
  gas: bigint
  /** Bytes that the particles may have as JSON. */
  readonly answerBytes: number
  readonly #deadline: number
  readonly #cancelled: (() => boolean) | undefined
  #block = 1024
  #last = performance.now()

  constructor({ steps, gas, milliseconds, cancelled, answerBytes = Infinity }: RunLimits) {
    this.answerBytes = answerBytes
    this.budget = { steps }
    this.gas = gas
    this.#deadline = this.#last + milliseconds
    this.#cancelled = cancelled
  }

  /** @throws RunExhausted */
  spend(steps: number): void {
    this.budget.steps -= steps
    if (this.budget.steps < 0) throw new RunExhausted('steps')
  }

  /**
   * Pays for values that were written, unless the steps that made them cost more: constants, and what was known.
   *
   * @throws RunExhausted
   */
  payForValues(count: number, paid: number): void {
    let due = Math.ceil(count / VALUES_A_STEP) - paid
    while (due > 0) due -= this.block(due)
  }

  /**
   * How many steps to make before the next look at the clock; they are paid for.
   *
   * @throws RunExhausted
   */
  block(wanted: number): number {
    const count = Math.min(wanted, this.#block)
    const now = performance.now()
    if (now > this.#deadline) throw new RunExhausted('time')
    if (this.#cancelled?.()) throw new RunExhausted('cancelled')
    this.spend(count)
    const slow = now - this.#last > PATIENCE_MS
    this.#block = slow
      ? Math.max(SMALLEST_BLOCK, this.#block >> 2)
      : Math.min(LARGEST_BLOCK, this.#block << 2)
    this.#last = now
    return count
  }
}
