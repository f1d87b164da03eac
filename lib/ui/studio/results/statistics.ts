import { memoizeByObject } from '#lib/studio/document/memoize.ts'
/** Statistics of a stream; all 0 for an empty one. */
export interface Statistics {
  readonly count: number
  readonly min: number
  readonly max: number
  /** Number of different values. */
  readonly distinct: number
  /** First step with the smallest value, and with the largest. */
  readonly minAt: number
  readonly maxAt: number
  readonly trend: 'constant' | 'rising' | 'falling' | 'mixed'
}

export const statisticsOf = memoizeByObject((data: readonly number[]): Statistics => {
  let minAt = 0
  let maxAt = 0
  let falls = false
  let rises = false
  let changes = 0
  for (let step = 0; step < data.length; step++) {
    const value = data[step]!
    if (value < data[minAt]!) minAt = step
    if (value > data[maxAt]!) maxAt = step
    if (step > 0) {
      const before = data[step - 1]!
      if (value === before) continue
      changes += 1
      falls ||= value < before
      rises ||= value > before
    }
  }
  return {
    count: data.length,
    min: data[minAt] ?? 0,
    max: data[maxAt] ?? 0,
    distinct:
      rises && falls ? distinctOf(data, data[minAt]!, data[maxAt]!) : data.length === 0 ? 0 : changes + 1,
    minAt,
    maxAt,
    trend: rises ? (falls ? 'mixed' : 'rising') : falls ? 'falling' : 'constant',
  }
})

/** Where a set of numbers is several times slower than marks for each possible value. */
const MAX_MARKS = 1_000_000

/** Done with every step of a slider, for every stream. */
function distinctOf(data: readonly number[], min: number, max: number): number {
  if (max - min >= MAX_MARKS) return new Set(data).size
  const marks = new Uint8Array(max - min + 1)
  let distinct = 0
  for (const value of data) {
    distinct += 1 - marks[value - min]!
    marks[value - min] = 1
  }
  return distinct
}
