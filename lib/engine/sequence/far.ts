import type { Leap } from '../leap/leap.ts'
import type { Indices } from '../walk/indices.ts'
import type { Allowance } from '../work.ts'
import type { Loop } from './loop.ts'

/** What a leap costs, in steps: about a thousand operations on bits at most. */
const LEAP_STEPS = 256

/**
 * Values at indices too large for a table, of a loop whose rounds are known without making them.
 *
 * @param steps How many there are to make.
 * @param indices Undefined when only reverts are of interest.
 * @returns number of the step that reverts, if one does.
 */
export function leapTo(
  loop: Loop,
  leap: Leap,
  start: number,
  steps: number,
  indices: Indices | undefined,
  out: Uint32Array,
  allowance: Allowance,
): number | undefined {
  // The first round is made: a start may be something that no step gives.
  const round = new Uint32Array(Math.min(steps, loop.calls))
  pay(round.length, allowance)
  const made = loop.fill(start, round, 0, round.length, 0, allowance.budget)
  if (made < round.length) return made + 1
  const settled = round[made - 1]!
  const reverting = made + leap.firstRevert(settled)
  if (reverting <= steps) return reverting
  if (indices === undefined) return undefined

  const rest = new Uint32Array(loop.calls)
  const valueAt = (index: number): number => {
    if (index <= made) return index === 0 ? start : round[index - 1]!
    const phase = index % loop.calls
    pay(LEAP_STEPS + phase, allowance)
    const x = leap.apply(settled, (index - phase) / loop.calls - 1)
    if (phase === 0) return x
    loop.fill(x, rest, 0, phase, 0, allowance.budget)
    return rest[phase - 1]!
  }
  const { first, count, list } = indices
  if (list !== undefined) for (let i = 0; i < count; i++) out[i] = valueAt(list[i]!)
  else {
    out[0] = valueAt(first)
    for (let at = 1; at < count; ) {
      const size = allowance.block(count - at)
      loop.fill(out[at - 1]!, out, at, size, (first + at - 1) % loop.calls, allowance.budget)
      at += size
    }
  }
  return undefined
}

function pay(steps: number, allowance: Allowance): void {
  for (let due = steps; due > 0; ) due -= allowance.block(due)
}
