import { bytesToHex } from 'viem/utils'
import { ByteLru } from '../../cache/byte-lru.ts'
import { codeTraits } from '../../domain/code-traits.ts'
import type { Hex } from '../../domain/entity.ts'
import type { PlannedCondition } from '../plan/plan.ts'
import { checkCalldata } from '../sequence/calldata.ts'
import type { StepBook } from '../steps/step-book.ts'
import { RunExhausted, RunReverted } from '../stop.ts'
import { BudgetExceeded, type CallOutcome, Declined } from '../types.ts'
import { type Allowance, ask, type Work } from '../work.ts'
import { conditionNotMet, invalidEntity } from './rejections.ts'

/** What a condition says; a string is what it reverts with. */
type Verdict = 'yes' | 'no' | { readonly revertData: Hex }

/** A verdict to be used elsewhere without asking again. */
export interface KnownVerdict {
  readonly key: string
  readonly verdict: Verdict
}

const CAUSE = { kind: 'condition' } as const

export interface ConditionsOptions {
  readonly book: StepBook
  /** Ask the exact engine, never a translation. */
  readonly exact: boolean
  readonly bytes: number
}

/** Most conditions see nothing but their stored arguments: those are asked once. */
export class Conditions {
  readonly #options: ConditionsOptions
  readonly #verdicts: ByteLru<string, Verdict>

  constructor(options: ConditionsOptions) {
    this.#options = options
    this.#verdicts = new ByteLru(options.bytes)
  }

  get bytes(): number {
    return this.#verdicts.bytes
  }

  /** @throws RunReverted unless the condition holds. */
  *require(condition: PlannedCondition, allowance: Allowance): Work<void> {
    const verdict = yield* this.verdictOf(condition, allowance)
    if (verdict === 'no') throw new RunReverted(conditionNotMet(condition.connector), CAUSE)
    if (verdict !== 'yes') throw new RunReverted(verdict.revertData, CAUSE)
  }

  *verdictOf(condition: PlannedCondition, allowance: Allowance): Work<Verdict> {
    const key = conditionKey(condition)
    let verdict = this.#verdicts.get(key)
    if (verdict === undefined) {
      verdict = judge(yield* this.#ask(condition, allowance), condition)
      // The next block may have another one.
      if (codeTraits(condition.code.runtime).dependsOn === 'input') this.#note(key, verdict)
    }
    return verdict
  }

  learn(verdicts: readonly KnownVerdict[]): void {
    for (const { key, verdict } of verdicts) this.#note(key, verdict)
  }

  known(conditions: Iterable<PlannedCondition>): KnownVerdict[] {
    const found: KnownVerdict[] = []
    for (const condition of conditions) {
      const key = conditionKey(condition)
      const verdict = this.#verdicts.get(key)
      if (verdict !== undefined) found.push({ key, verdict })
    }
    return found
  }

  *#ask({ code, args }: PlannedCondition, allowance: Allowance): Work<CallOutcome> {
    const calldata = checkCalldata(args)
    if (!this.#options.exact) {
      try {
        const outcome = this.#options.book.translate(code)?.call(calldata, allowance.budget)
        if (outcome) return outcome
      } catch (error) {
        if (error instanceof BudgetExceeded) throw new RunExhausted('steps')
        if (!(error instanceof Declined)) throw error
      }
    }
    return yield* ask({ code, calldata, without: 'condition' })
  }

  #note(key: string, verdict: Verdict): void {
    this.#verdicts.set(
      key,
      verdict,
      200 + key.length + (typeof verdict === 'string' ? 0 : verdict.revertData.length),
    )
  }
}

/** Conditions with equal keys say the same. */
export function conditionKey({ code, args }: PlannedCondition): string {
  return `${code.contentHash}(${args.join()})`
}

function judge(outcome: CallOutcome, { code }: PlannedCondition): Verdict {
  if (outcome.status === 'reverted') return { revertData: bytesToHex(outcome.data) }
  const { output } = outcome
  const sound = output.length >= 32 && output.subarray(0, 31).every((byte) => byte === 0) && output[31]! <= 1
  if (!sound) return { revertData: invalidEntity(code.contentHash) }
  return output[31] === 1 ? 'yes' : 'no'
}
