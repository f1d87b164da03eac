import { bytesToHex } from 'viem/utils'
import { type Allowance, type Coroutine, queryExact } from '../allowance.ts'
import type { Call, CallList } from '../plan.ts'
import { type RevertCause, RunReverted } from '../run.ts'
import type { TranslationCache } from '../steps/translation-cache.ts'
import type { CallOutcome } from '../types.ts'
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
    for (let offset = 0, paid = 0; offset < steps; offset++) {
      if (offset === paid) paid += allowance.nextChunk(steps - offset)
      const { call, calldata } = records[(turn + offset) % records.length]!
      writeX(calldata, x)
      const cause = { kind: 'step', step: offset + 1, x } as const
      x = readWord(call, yield* callTransformation(translations, call, calldata, allowance), cause)
      value[0] = x
      picker?.take(offset + 1, value)
    }
  } else {
    for (const { offset, count } of chunks(steps, indices)) {
      const number = (turn + offset) % list.calls.length
      for (let stepsLeft = count; stepsLeft > 0; ) stepsLeft -= allowance.nextChunk(stepsLeft)
      const first = x
      const call = list.calls[0]!
      const after = function* (length: number): Coroutine<Uint32Array> {
        const calldata = stepsCalldata(list, first, length, number)
        return readValues(call, yield* callTransformation(translations, call, calldata, allowance), length)
      }
      const values = yield* allowance.locates ? locating(after, { offset, count, x }) : after(count)
      picker?.take(offset + 1, values)
      x = values[count - 1]!
    }
  }
  picker?.finish()
}

/**
 * The values of a call of several steps; where it reverts, searches the first step that does so by calls of fewer steps.
 *
 * @param after The values of the first steps of the call.
 * @throws RunReverted without a cause where fewer steps revert in another way: a body can see how many it makes.
 */
function* locating(
  after: (steps: number) => Coroutine<Uint32Array>,
  { offset, count, x }: { readonly offset: number; readonly count: number; readonly x: number },
): Coroutine<Uint32Array> {
  const whole = yield* reverting(after(count))
  if (!(whole instanceof RunReverted)) return whole
  const { revertData } = whole
  let [good, bad, before, last] = [0, count, x, whole]
  while (good + 1 < bad) {
    const middle = (good + bad) >> 1
    const outcome = yield* reverting(after(middle))
    if (outcome instanceof RunReverted) [bad, last] = [middle, outcome]
    else [good, before] = [middle, outcome[middle - 1]!]
  }
  if (last.revertData !== revertData) throw whole
  throw new RunReverted(revertData, { kind: 'step', step: offset + bad, x: before })
}

function* reverting<T>(run: Coroutine<T>): Coroutine<T | RunReverted> {
  try {
    return yield* run
  } catch (error) {
    if (error instanceof RunReverted) return error
    throw error
  }
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
      const outcome = translations.outcomeOf(error)
      if (outcome !== undefined) return outcome
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
