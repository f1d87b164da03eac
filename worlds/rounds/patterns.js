/* Streams of numbers as patterns on rings. */

export const MOST_RINGS = 6
/** Numbers up to this are how loud a step is. */
const MOST_LOUDNESS = 8

/** @returns {{ label: string, strengths: number[] }[]} How strongly each place sounds, 0 to 1. */
export function patternsOf(streams, places) {
  return streams.slice(0, MOST_RINGS).map(({ path, data }) => ({
    label: labelOf(path),
    strengths: isCount(data) ? byNumber(data, places) : byStep(data, places),
  }))
}

/** Whether numbers only grow: then they are times, counted round and round. */
function isCount(data) {
  return (
    data.length > 1 && data.at(-1) > data[0] && data.every((value, step) => value >= (data[step - 1] ?? 0))
  )
}

/** Each number is a place; the more often a place is met, the louder it is. */
function byNumber(data, places) {
  const met = new Array(places).fill(0)
  for (const value of data) met[value % places] += 1
  const most = Math.max(1, ...met)
  return met.map((times) => (times === 0 ? 0 : 0.4 + (0.6 * times) / most))
}

/**
 * Each step is a place. Small numbers are how loud it is, and 0 is silent; of others the upper half sounds, as the studio
 * hears drums.
 */
function byStep(data, places) {
  if (data.length === 0) return new Array(places).fill(0)
  const [low, high] = [Math.min(...data), Math.max(...data)]
  const silent = low === 0 || high === low || high <= MOST_LOUDNESS ? 0 : (low + high) / 2
  return Array.from({ length: places }, (_, place) => {
    const value = data[place % data.length]
    return value > silent ? 0.4 + (0.6 * (value - silent)) / (high - silent) : 0
  })
}

/** The last connector of a path: `/nocturne:1/time:0` is `time`. */
function labelOf(path) {
  const [connector, dimension] = path.slice(path.lastIndexOf('/') + 1).split(':')
  return dimension === '0' ? connector : `${connector} ${dimension}`
}
