import type { Allowance } from '../allowance.ts'
import { type Indices, Picker } from './indices.ts'
import type { Loop } from './loop.ts'

const BLOCK = 65_536

/**
 * Computes the values at indices too large for a table, in chunks of which only the wanted values are stored. Stops at a
 * cycle (Brent's algorithm, a chunk at a time), from which all later values follow.
 *
 * @param steps Number of steps.
 * @param indices Undefined when only reverts matter.
 * @returns number of the step that reverts, if one does.
 */
export function sweep(
  loop: Loop,
  start: number,
  steps: number,
  indices: Indices | undefined,
  out: Uint32Array,
  allowance: Allowance,
): number | undefined {
  const picker = indices && new Picker(indices, out)
  const block = new Uint32Array(Math.min(steps, BLOCK))
  picker?.take(0, Uint32Array.of(start))
  let offset = 0
  let x = start
  let mark = { at: 0, value: start }
  while (offset < steps) {
    const count = allowance.nextChunk(Math.min(steps - offset, BLOCK))
    const valueCount = loop.fill(x, block, 0, count, offset % loop.calls, allowance.budget)
    const values = block.subarray(0, valueCount)
    picker?.take(offset + 1, values)
    if (valueCount < count) return offset + valueCount + 1
    const length = findRepetition(values, mark.value, offset + 1 - mark.at, loop.calls)
    offset += count
    x = values[count - 1]!
    if (length !== undefined) {
      picker?.finish()
      if (indices) takeFromCycle(loop, { mark, length, offset }, indices, out, allowance)
      return undefined
    }
    if (offset >= 2 * mark.at) mark = { at: offset, value: x }
  }
  picker?.finish()
  return undefined
}

interface Cycle {
  /** A value on the cycle, and its index. */
  readonly mark: { readonly at: number; readonly value: number }
  readonly length: number
  /** Values up to this index are computed. */
  readonly offset: number
}

/**
 * Steps from the mark to the next occurrence of its value before the same call.
 *
 * @param offset Steps from the mark to the first of `values`.
 */
function findRepetition(
  values: Uint32Array,
  value: number,
  offset: number,
  calls: number,
): number | undefined {
  for (let at = values.indexOf(value); at >= 0; at = values.indexOf(value, at + 1)) {
    if ((offset + at) % calls === 0) return offset + at
  }
  return undefined
}

function takeFromCycle(
  loop: Loop,
  { mark, length, offset }: Cycle,
  indices: Indices,
  out: Uint32Array,
  allowance: Allowance,
): void {
  const { list, first, count } = indices
  const places: number[] = []
  const offsets: number[] = []
  for (let i = 0; i < count; i++) {
    const index = list === undefined ? first + i : list[i]!
    if (index <= offset) continue
    places.push(i)
    offsets.push((index - mark.at) % length)
  }
  if (places.length === 0) return
  const values = new Uint32Array(places.length)
  const max = offsets.reduce((most, one) => Math.max(most, one), 0)
  const selection = { count: offsets.length, first: offsets[0]!, list: Uint32Array.from(offsets), max }
  const picker = new Picker(selection, values)
  picker.take(0, Uint32Array.of(mark.value))
  const block = new Uint32Array(Math.min(max, BLOCK))
  let x = mark.value
  for (let at = 0; at < max; ) {
    const size = allowance.nextChunk(Math.min(max - at, BLOCK))
    // On a cycle no step reverts.
    loop.fill(x, block, 0, size, (mark.at + at) % loop.calls, allowance.budget)
    picker.take(at + 1, block.subarray(0, size))
    at += size
    x = block[size - 1]!
  }
  picker.finish()
  for (let i = 0; i < places.length; i++) out[places[i]!] = values[i]!
}
