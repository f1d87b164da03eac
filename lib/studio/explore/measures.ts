/** Measures by which a sheet is sorted, of the values of one variation within its window. */
export interface Measures {
  /**
   * Mean over the streams of log2(1 + largest value - smallest value), in bits: 0 where nothing moves, 32 where the
   * whole of uint32 is used.
   */
  readonly range: number
  /**
   * The smallest number of steps after which all streams together repeat, exactly and from the first step of the
   * window to its last; 0 where they do not repeat at least twice within it.
   */
  readonly period: number
  /**
   * Mean over the streams of the Shannon entropy of the changes from one step to the next (modulo 2^32), in bits: 0 for
   * a steady rise, 1 for two changes that are equally frequent, log2 of the number of steps for noise.
   */
  readonly entropy: number
  /**
   * Mean distance to the five nearest other variations of the sheet, between 0 and 1: half of it by the outlines of
   * the streams, each in its own range, half by the other measures.
   */
  readonly novelty: number
}

/** @param values One stream after another, `count` values each. */
export function measure(values: Uint32Array, streams: number, count: number): Omit<Measures, 'novelty'> {
  let range = 0
  let entropy = 0
  for (let stream = 0; stream < streams; stream++) {
    const data = values.subarray(stream * count, (stream + 1) * count)
    range += Math.log2(1 + widthOf(data))
    entropy += entropyOfChanges(data)
  }
  return { range: range / streams, entropy: entropy / streams, period: periodOf(values, streams, count) }
}

function widthOf(data: Uint32Array): number {
  let min = 0xffff_ffff
  let max = 0
  for (const value of data) {
    if (value < min) min = value
    if (value > max) max = value
  }
  return data.length === 0 ? 0 : max - min
}

/** Largest window. */
const MAX_WINDOW = 1024

function entropyOfChanges(data: Uint32Array): number {
  const changes = data.length - 1
  const counts = new Map<number, number>()
  for (let step = 1; step <= changes; step++) {
    const change = (data[step]! - data[step - 1]!) >>> 0
    counts.set(change, (counts.get(change) ?? 0) + 1)
  }
  let bits = 0
  for (const count of counts.values()) bits -= (count / changes) * Math.log2(count / changes)
  return bits + 0
}

const borders = new Uint32Array(MAX_WINDOW)

/** By the longest border of the steps (Knuth, Morris, Pratt), where a step is the values of all streams. */
function periodOf(values: Uint32Array, streams: number, count: number): number {
  const same = (one: number, other: number) => {
    for (let at = 0; at < streams * count; at += count) {
      if (values[at + one] !== values[at + other]) return false
    }
    return true
  }
  borders[0] = 0
  for (let step = 1, border = 0; step < count; step++) {
    while (border > 0 && !same(step, border)) border = borders[border - 1]!
    if (same(step, border)) border += 1
    borders[step] = border
  }
  const period = count - (count > 0 ? borders[count - 1]! : 0)
  return 2 * period <= count ? period : 0
}

const OUTLINE_POINTS = 16
const NEAREST = 5

/** Adds the novelty of each variation among the others. */
export function withNovelty(
  measured: readonly Omit<Measures, 'novelty'>[],
  values: readonly Uint32Array[],
  streams: number,
  count: number,
): Measures[] {
  const features = measured.map((one, index) => featuresOf(one, values[index]!, streams, count))
  const nearest = measured.map(() => new Float64Array(NEAREST).fill(Number.POSITIVE_INFINITY))
  for (let one = 0; one < features.length; one++) {
    for (let other = 0; other < one; other++) {
      const distance = distanceOf(features[one]!, features[other]!)
      insert(nearest[one]!, distance)
      insert(nearest[other]!, distance)
    }
  }
  return measured.map((one, index) => {
    const distances = nearest[index]!.filter(Number.isFinite)
    const sum = distances.reduce((total, distance) => total + distance, 0)
    return { ...one, novelty: sum / Math.max(1, distances.length) }
  })
}

/** Outlines of the streams, then the measures, weighted so that each half contributes at most 0.5 to a distance. */
function featuresOf(
  { range, period, entropy }: Omit<Measures, 'novelty'>,
  values: Uint32Array,
  streams: number,
  count: number,
): Float32Array {
  const points = Math.min(OUTLINE_POINTS, count)
  const features = new Float32Array(streams * points + 3)
  for (let stream = 0; stream < streams; stream++) {
    const data = values.subarray(stream * count, (stream + 1) * count)
    let min = data[0] ?? 0
    for (const value of data) if (value < min) min = value
    const width = widthOf(data)
    for (let point = 0; point < points; point++) {
      const value = data[Math.floor((point * count) / points)]!
      const share = width === 0 ? 0.5 : (value - min) / width
      features[stream * points + point] = share / (2 * streams * points)
    }
  }
  const longest = Math.log2(MAX_WINDOW)
  const facts = [range / 32, period === 0 ? 1 : Math.log2(period) / longest, entropy / longest]
  facts.forEach((fact, index) => {
    features[streams * points + index] = fact / (2 * facts.length)
  })
  return features
}

function distanceOf(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += Math.abs(one[i]! - other[i]!)
  return sum
}

/** Inserts into the smallest distances found so far, ascending. */
function insert(nearest: Float64Array, distance: number): void {
  let at = nearest.length - 1
  if (distance >= nearest[at]!) return
  for (; at > 0 && nearest[at - 1]! > distance; at--) nearest[at] = nearest[at - 1]!
  nearest[at] = distance
}
