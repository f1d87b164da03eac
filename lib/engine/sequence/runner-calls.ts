import type { CallList } from '../plan.ts'
import type { Indices } from './indices.ts'

/**
 * Calldata as the Runner (`contracts/Sequence.sol`) sends it to entities, byte for byte: bodies may depend on the layout
 * of their arguments.
 */

const RUN = 0x9e26c033
const RANGE = 0xf4d649f7
const CYCLE = 0x47ad3e03
const CHECK = 0xe9f206b3

/** One step. */
export function runCalldata(x: number, args: readonly number[]): Uint8Array {
  return encode(RUN, [x, 0x40, args.length, ...args])
}

/** Several steps with the same arguments. */
export function rangeCalldata(x: number, args: readonly number[], count: number): Uint8Array {
  return encode(RANGE, [x, 0x60, count, args.length, ...args])
}

/** Several steps that cycle through argument lists of one length. */
export function cycleCalldata(
  x: number,
  lists: readonly (readonly number[])[],
  count: number,
  first: number,
): Uint8Array {
  const args = lists.flat()
  return encode(CYCLE, [x, 0xa0, count, lists[0]!.length, first, args.length, ...args])
}

/** The call of a condition. */
export function checkCalldata(args: readonly number[]): Uint8Array {
  return encode(CHECK, [0x20, args.length, ...args])
}

/** `count` steps of a dimension whose next call is number `turn`; one step in mode `each`. */
export function stepsCalldata(list: CallList, x: number, count: number, turn: number): Uint8Array {
  const { args } = list.calls[list.mode === 'each' ? turn : 0]!
  switch (list.mode) {
    case 'each':
      return runCalldata(x, args)
    case 'range':
      return rangeCalldata(x, args, count)
    case 'cycle':
      return cycleCalldata(
        x,
        list.calls.map((call) => call.args),
        count,
        turn,
      )
  }
}

/** Replaces x in calldata. */
export function writeX(calldata: Uint8Array, x: number): void {
  calldata[32] = x >>> 24
  calldata[33] = x >>> 16
  calldata[34] = x >>> 8
  calldata[35] = x
}

function encode(selector: number, words: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 + 32 * words.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, selector)
  for (let i = 0; i < words.length; i++) {
    const at = 4 + 32 * i
    if (words[i]! < 0) bytes.fill(0xff, at, at + 28)
    view.setUint32(at + 28, words[i]!)
  }
  return bytes
}

/** Steps of one call of the Runner. */
const CHUNK_STEPS = 2048

/** Consecutive steps: `count` after the first `offset`. */
interface Chunk {
  readonly offset: number
  readonly count: number
}

/**
 * The calls into which the Runner (`contracts/Evaluator.sol`) splits the steps up to the largest index. It matters to
 * bodies whose steps share memory within a call.
 *
 * @param steps Number of steps.
 * @param indices Undefined when only reverts matter.
 */
export function* chunks(steps: number, indices: Indices | undefined): Generator<Chunk, void> {
  // A contiguous range that starts later: the Runner skips to its start, then splits again.
  const passed =
    indices !== undefined && indices.list === undefined && indices.first > 0 ? indices.first - 1 : 0
  yield* split(0, passed)
  yield* split(passed, steps)
}

/** The chunk that contains a step; `step` counts from 1. */
export function chunkOf(step: number, steps: number, indices: Indices | undefined): Chunk {
  const passed =
    indices !== undefined && indices.list === undefined && indices.first > 0 ? indices.first - 1 : 0
  const [from, to] = step <= passed ? [0, passed] : [passed, steps]
  const offset = from + Math.floor((step - 1 - from) / CHUNK_STEPS) * CHUNK_STEPS
  return { offset, count: Math.min(CHUNK_STEPS, to - offset) }
}

function* split(from: number, to: number): Generator<Chunk, void> {
  for (let offset = from; offset < to; offset += CHUNK_STEPS)
    yield { offset, count: Math.min(CHUNK_STEPS, to - offset) }
}
