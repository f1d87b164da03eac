/* Numbers to stars: where each stands, and how bright it is. */

export const MOST_STARS = 1024

/** @returns {{ x: number, y: number, size: number }[]} In the order of the run; everything from 0 to 1. */
export function starsOf(streams) {
  const across = streams[0]?.data ?? []
  const down = streams[1]?.data
  const bright = streams[2]?.data
  const count = Math.min(MOST_STARS, across.length)
  const x = scaleOf(across)
  const y = scaleOf(down ?? across)
  const size = scaleOf(bright ?? [])
  return Array.from({ length: count }, (_, at) => ({
    x: x(across[at]),
    // One stream alone is a walk: each number against the one before it.
    y: down ? y(valueAt(down, at)) : y(across[(at + count - 1) % count]),
    size: bright ? size(valueAt(bright, at)) : 0.4,
  }))
}

/** A shorter stream is repeated. */
function valueAt(data, at) {
  return data[at % data.length]
}

/** From the lowest number of a stream to its highest; one number alone is in the middle. */
function scaleOf(data) {
  let low = Number.POSITIVE_INFINITY
  let high = 0
  for (const value of data) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return (value = low) => (high > low ? (value - low) / (high - low) : 0.5)
}
