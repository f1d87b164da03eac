/** What can be said of a stream in numbers. Of nothing everything is 0. */
export interface Statistics {
  readonly count: number
  readonly min: number
  readonly max: number
  readonly mean: number
  /** How many different values there are. */
  readonly distinct: number
  /** First step with the smallest value, and with the largest. */
  readonly minAt: number
  readonly maxAt: number
  readonly trend: 'constant' | 'rising' | 'falling' | 'mixed'
}

/** Values are uint32: the sum of 65,536 of them is below 2^48, so nothing is lost before the division. */
export function statisticsOf(data: readonly number[]): Statistics {
  const known = kept.get(data)
  if (known) return known
  const made = compute(data)
  kept.set(data, made)
  return made
}

const kept = new WeakMap<readonly number[], Statistics>()

function compute(data: readonly number[]): Statistics {
  let minAt = 0
  let maxAt = 0
  let sum = 0
  let falls = false
  let rises = false
  for (let step = 0; step < data.length; step++) {
    const value = data[step]!
    sum += value
    if (value < data[minAt]!) minAt = step
    if (value > data[maxAt]!) maxAt = step
    if (step > 0) {
      falls ||= value < data[step - 1]!
      rises ||= value > data[step - 1]!
    }
  }
  return {
    count: data.length,
    min: data[minAt] ?? 0,
    max: data[maxAt] ?? 0,
    mean: data.length === 0 ? 0 : sum / data.length,
    distinct: new Set(data).size,
    minAt,
    maxAt,
    trend: rises ? (falls ? 'mixed' : 'rising') : falls ? 'falling' : 'constant',
  }
}
