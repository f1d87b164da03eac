import { bytesToHex } from 'viem/utils'
import { ByteLru } from '#lib/platform/cache/byte-lru.ts'
import { codeTraits } from '#lib/protocol/code-traits.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { type Allowance, type Coroutine, queryExact } from '../allowance.ts'
import type { PlannedCondition } from '../plan.ts'
import { RunReverted } from '../run.ts'
import { checkCalldata } from '../sequence/runner-calls.ts'
import type { TranslationCache } from '../steps/translation-cache.ts'
import type { CallOutcome } from '../types.ts'
import { conditionNotMet, invalidEntity } from './rejections.ts'

/** Outcome of a condition. */
type Verdict = 'yes' | 'no' | { readonly revertData: Hex }

const CAUSE = { kind: 'condition' } as const

export interface ConditionsOptions {
  readonly translations: TranslationCache
  /** Whether there is an exact engine; a translation is used only where there is none. */
  readonly exact: boolean
  readonly bytes: number
}

/** Evaluates conditions; verdicts that depend on the stored arguments alone are cached. */
export class Conditions {
  readonly #options: ConditionsOptions
  readonly #verdicts: ByteLru<string, Verdict>

  constructor(options: ConditionsOptions) {
    this.#options = options
    this.#verdicts = new ByteLru(options.bytes)
  }

  /** @throws RunReverted unless the condition holds. */
  *require(condition: PlannedCondition, allowance: Allowance): Coroutine<void> {
    const verdict = yield* this.verdictOf(condition, allowance)
    if (verdict === 'no') throw new RunReverted(conditionNotMet(condition.connector), CAUSE)
    if (verdict !== 'yes') throw new RunReverted(verdict.revertData, CAUSE)
  }

  *verdictOf(condition: PlannedCondition, allowance: Allowance): Coroutine<Verdict> {
    const key = conditionKey(condition)
    let verdict = this.#verdicts.get(key)
    if (verdict === undefined) {
      verdict = verdictFrom(yield* this.#call(condition, allowance), condition)
      // Others may change with the next block.
      if (codeTraits(condition.code.runtime).dependsOn === 'input') this.#cache(key, verdict)
    }
    return verdict
  }

  *#call({ code, args }: PlannedCondition, allowance: Allowance): Coroutine<CallOutcome> {
    const calldata = checkCalldata(args)
    if (!this.#options.exact) {
      try {
        const outcome = this.#options.translations.translate(code)?.call(calldata, allowance.budget)
        if (outcome) return outcome
      } catch (error) {
        const outcome = this.#options.translations.outcomeOf(error)
        if (outcome !== undefined) return outcome
      }
    }
    return yield* queryExact({ code, calldata, declineAs: 'condition' })
  }

  #cache(key: string, verdict: Verdict): void {
    this.#verdicts.set(
      key,
      verdict,
      200 + key.length + (typeof verdict === 'string' ? 0 : verdict.revertData.length),
    )
  }
}

/** Conditions with equal keys have equal verdicts. */
function conditionKey({ code, args }: PlannedCondition): string {
  return `${code.contentHash}(${args.join()})`
}

function verdictFrom(outcome: CallOutcome, { code }: PlannedCondition): Verdict {
  if (outcome.status === 'reverted') return { revertData: bytesToHex(outcome.data) }
  const { output } = outcome
  const sound = output.length >= 32 && output.subarray(0, 31).every((byte) => byte === 0) && output[31]! <= 1
  if (!sound) return { revertData: invalidEntity(code.contentHash) }
  return output[31] === 1 ? 'yes' : 'no'
}
