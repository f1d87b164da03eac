import { bytesToHex } from 'viem/utils'
import type { Call, CallList } from '../plan/call-list.ts'
import type { StepBook } from '../steps/step-book.ts'
import { RunExhausted, RunReverted } from '../stop.ts'
import { BudgetExceeded, type CallOutcome, Declined } from '../types.ts'
import type { Indices } from '../walk/indices.ts'
import { invalidEntity } from '../walk/rejections.ts'
import { type Allowance, ask, type Work } from '../work.ts'
import { stepsCalldata } from './calldata.ts'
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
    for (let made = 0; made < steps; made++) {
      const number = (turn + made) % list.calls.length
      const call = list.calls[number]!
      const outcome = yield* answer(book, call, stepsCalldata(list, x, 1, number), allowance)
      x = readWord(call, outcome)
      picker?.take(made + 1, Uint32Array.of(x))
    }
  } else {
    for (const { made, count } of pieces(steps, indices)) {
      const number = (turn + made) % list.calls.length
      const outcome = yield* answer(
        book,
        list.calls[0]!,
        stepsCalldata(list, x, count, number),
        allowance,
        count,
      )
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
  steps = 1,
): Work<CallOutcome> {
  for (let left = steps; left > 0; ) left -= allowance.block(left)
  const contract = yield* book.contractOf(call)
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

function readWord({ code }: Call, outcome: CallOutcome): number {
  const bytes = returned(outcome)
  if (bytes.length < 32 || bytes.subarray(0, 28).some((byte) => byte !== 0)) {
    throw new RunReverted(invalidEntity(code.contentHash))
  }
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(28)
}

function returned(outcome: CallOutcome): Uint8Array {
  if (outcome.status === 'reverted') throw new RunReverted(bytesToHex(outcome.data))
  return outcome.output
}
