import { bytesToHex } from 'viem/utils'
import type { Call, CallList } from '../plan/call-list.ts'
import type { StepBook } from '../steps/step-book.ts'
import { type RevertCause, RunExhausted, RunReverted } from '../stop.ts'
import { BudgetExceeded, type CallOutcome, Declined } from '../types.ts'
import type { Indices } from '../walk/indices.ts'
import { invalidEntity } from '../walk/rejections.ts'
import { type Allowance, ask, type Work } from '../work.ts'
import { stepsCalldata, writeX } from './calldata.ts'
import { Picker } from './picker.ts'
import { pieces } from './pieces.ts'

/**
 * Values of a dimension made the way the Runner makes them: by the same message calls, one after another. Slower
 * than a loop, and true to bodies that can see how they are called.
 *
 * @param steps How many there are to make.
 * @param indices Undefined when only reverts are of interest.
 * @throws RunReverted, RunExhausted
 */
export function* byCalls(
  book: StepBook,
  list: CallList,
  { startPoint, turn, steps }: { readonly startPoint: number; readonly turn: number; readonly steps: number },
  indices: Indices | undefined,
  out: Uint32Array,
  allowance: Allowance,
): Work<void> {
  const picker = indices && new Picker(indices, out)
  picker?.take(0, Uint32Array.of(startPoint))
  let x = startPoint
  if (list.mode === 'each') {
    const value = new Uint32Array(1)
    const records = list.calls.map((call, number) => ({ call, calldata: stepsCalldata(list, 0, 1, number) }))
    for (let made = 0, paid = 0; made < steps; made++) {
      if (made === paid) paid += allowance.block(steps - made)
      const { call, calldata } = records[(turn + made) % records.length]!
      writeX(calldata, x)
      const cause = { kind: 'step', step: made + 1, x } as const
      x = readWord(call, yield* answer(book, call, calldata, allowance), cause)
      value[0] = x
      picker?.take(made + 1, value)
    }
  } else {
    for (const { made, count } of pieces(steps, indices)) {
      const number = (turn + made) % list.calls.length
      for (let left = count; left > 0; ) left -= allowance.block(left)
      const outcome = yield* answer(book, list.calls[0]!, stepsCalldata(list, x, count, number), allowance)
      const values = readValues(list.calls[0]!, outcome, count)
      picker?.take(made + 1, values)
      x = values[count - 1]!
    }
  }
  picker?.finish()
}

/** The answer of a transformation: of its translation, where there is one to be trusted, else of the exact engine. */
export function* answer(
  book: StepBook,
  call: Call,
  calldata: Uint8Array,
  allowance: Allowance,
): Work<CallOutcome> {
  const contract = book.knownContract(call) ?? (yield* book.contractOf(call))
  if (contract) {
    try {
      return contract.call(calldata, allowance.budget)
    } catch (error) {
      if (error instanceof BudgetExceeded) throw new RunExhausted('steps')
      if (!(error instanceof Declined)) throw error
      book.dropContract(call)
    }
  }
  return yield* ask({ code: call.code, calldata, without: 'untranslated' })
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

/** A uint32 in a word. */
function fits(word: Uint8Array): boolean {
  for (let i = 0; i < 28; i++) if (word[i] !== 0) return false
  return true
}

function returned(outcome: CallOutcome, cause?: RevertCause): Uint8Array {
  if (outcome.status === 'reverted') throw new RunReverted(bytesToHex(outcome.data), cause)
  return outcome.output
}
