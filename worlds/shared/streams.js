/* What the streams of a run have in common. */

/** Lowest and highest number; 0 and 0 of none. */
export function extentOf(data) {
  let low = Number.POSITIVE_INFINITY
  let high = 0
  for (const value of data) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return [Math.min(low, high), high]
}

/** From the lowest number of a stream to its highest, 0 to 1; of one number alone the middle. */
export function scaleOf(data) {
  const [low, high] = extentOf(data)
  return (value = low) => (high > low ? (value - low) / (high - low) : 0.5)
}

/** The last connector of a path: `/nocturne:1/time:0` is `time`; of other dimensions than the first with their number. */
export function labelOf(path) {
  const [connector, dimension] = path.slice(path.lastIndexOf('/') + 1).split(':')
  return dimension === '0' || dimension === undefined ? connector : `${connector} ${dimension}`
}

/** The stream that ends in a scalar of this name, or that is bound to a slot of it. */
export function streamNamed(streams, name, bindings = []) {
  const ends = (all) => all.find(({ path }) => path.endsWith(`/${name}:0`))
  const bound = bindings.find(({ slot }) => slot === name)?.executeOutput ?? []
  return ends(bound) ?? bound[0] ?? ends(streams)
}

/** Whether numbers only grow, as times do. */
export function isCount(data) {
  return (
    data.length > 1 &&
    data.at(-1) > data[0] &&
    data.every((value, step) => step === 0 || value >= data[step - 1])
  )
}

/** Steps of the longest stream. */
export function stepsOf(streams) {
  return streams.reduce((most, { data }) => Math.max(most, data.length), 0)
}

/** An even spread of 0 to 1 that is the same for the same number. */
export function hash(number) {
  let mixed = Math.imul(number ^ 0x9e3779b9, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}
