import { bytesToHex } from 'viem/utils'
import { type Allowance, type Coroutine, queryExact } from '../allowance.ts'
import type { Call, CallList } from '../plan.ts'
import { type RevertCause, RunExhausted, RunReverted } from '../run.ts'
import type { TranslationCache } from '../steps/translation-cache.ts'
import { BudgetExceeded, type CallOutcome, Declined } from '../types.ts'
import { invalidEntity } from '../walk/rejections.ts'
import { type Indices, Picker } from './indices.ts'
import { chunks, stepsCalldata, writeX } from './runner-calls.ts'

/**
 * Computes the values of a dimension by the message calls that the Runner makes. Slower than a loop, and exact for bodies
 * that depend on how they are called.
 *
 * @param steps Number of steps.
 * @param indices Undefined when only reverts matter.
 * @throws RunReverted, RunExhausted
 */
export function* byCalls(
  translations: TranslationCache,
  list: CallList,
  { startPoint, turn, steps }: { readonly startPoint: number; readonly turn: number; readonly steps: number },
  indices: Indices | undefined,
  out: Uint32Array,
  allowance: Allowance,
): Coroutine<void> {
  const picker = indices && new Picker(indices, out)
  picker?.take(0, Uint32Array.of(startPoint))
  let x = startPoint
  if (list.mode === 'each') {
    const value = new Uint32Array(1)
    const records = list.calls.map((call, number) => ({ call, calldata: stepsCalldata(list, 0, 1, number) }))
    for (let made = 0, paid = 0; made < steps; made++) {
      if (made === paid) paid += allowance.nextChunk(steps - made)
      const { call, calldata } = records[(turn + made) % records.length]!
      writeX(calldata, x)
      const cause = { kind: 'step', step: made + 1, x } as const
      x = readWord(call, yield* callTransformation(translations, call, calldata, allowance), cause)
      value[0] = x
      picker?.take(made + 1, value)
    }
  } else {
    for (const { made, count } of chunks(steps, indices)) {
      const number = (turn + made) % list.calls.length
      for (let left = count; left > 0; ) left -= allowance.nextChunk(left)
      const outcome = yield* callTransformation(
        translations,
        list.calls[0]!,
        stepsCalldata(list, x, count, number),
        allowance,
      )
      const values = readValues(list.calls[0]!, outcome, count)
      picker?.take(made + 1, values)
      x = values[count - 1]!
    }
  }
  picker?.finish()
}

/** Calls a transformation: its translated contract, or the exact engine where there is none. */
export function* callTransformation(
  translations: TranslationCache,
  call: Call,
  calldata: Uint8Array,
  allowance: Allowance,
): Coroutine<CallOutcome> {
  const contract = translations.knownContract(call) ?? (yield* translations.contractOf(call))
  if (contract) {
    try {
      return contract.call(calldata, allowance.budget)
    } catch (error) {
      if (error instanceof BudgetExceeded) throw new RunExhausted('steps')
      if (!(error instanceof Declined)) throw error
      translations.rejectContract(call)
    }
  }
  return yield* queryExact({ code: call.code, calldata, declineAs: 'untranslated' })
}

function readValues({ code }: Call, outcome: CallOutcome, count: number): Uint32Array {
  const bytes = returned(outcome)
  if (bytes.length !== 4 * count) throw new RunReverted(invalidEntity(code.contentHash))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Uint32Array.from({ length: count }, (_, i) => view.getUint32(4 * i))
}

function readWord({ code }: Call, outcome: CallOutcome, cause: RevertCause): number {
  const bytes = returned(outcome, cause)
  if (bytes.length < 32 || !fits(bytes)) {
    throw new RunReverted(invalidEntity(code.contentHash), cause)
  }
  return ((bytes[28]! << 24) | (bytes[29]! << 16) | (bytes[30]! << 8) | bytes[31]!) >>> 0
}

/** Whether a word holds a uint32. */
function fits(word: Uint8Array): boolean {
  for (let i = 0; i < 28; i++) if (word[i] !== 0) return false
  return true
}

function returned(outcome: CallOutcome, cause?: RevertCause): Uint8Array {
  if (outcome.status === 'reverted') throw new RunReverted(bytesToHex(outcome.data), cause)
  return outcome.output
}
