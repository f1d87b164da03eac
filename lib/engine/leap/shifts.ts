import type { Shift } from './form.ts'

/** A step, by its form; -1 where it reverts. */
export function shiftStep({ by, low, high }: Shift, x: number): number {
  return x >= low && x <= high ? x + by : -1
}

/** What one round of shifts adds. */
export function roundOf(shifts: readonly Shift[]): number {
  return shifts.reduce((sum, { by }) => sum + by, 0)
}

/**
 * Number of the first step that reverts, from x on; infinite if none does. The value before a step runs up or down by
 * the same amount each round, so that it leaves its bounds at a round that can be divided for.
 */
export function firstRevert(shifts: readonly Shift[], x: number): number {
  const round = roundOf(shifts)
  let first = Number.POSITIVE_INFINITY
  let value = x
  shifts.forEach(({ by, low, high }, phase) => {
    const rounds = roundsWithin(value, round, low, high)
    first = Math.min(first, rounds * shifts.length + phase + 1)
    value += by
  })
  return first
}

/** How many times a value that grows by `round` is within bounds before it is not. */
function roundsWithin(value: number, round: number, low: number, high: number): number {
  if (value < low || value > high) return 0
  if (round === 0) return Number.POSITIVE_INFINITY
  return Math.floor((round > 0 ? high - value : value - low) / Math.abs(round)) + 1
}
