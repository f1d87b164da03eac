/* Streams of numbers as patterns on rings. */

export const MOST_RINGS = 6

/** @returns {{ label: string, strengths: number[] }[]} How strongly each place sounds, 0 to 1. */
export function patternsOf(streams, places) {
  return streams.slice(0, MOST_RINGS).map(({ path, data }) => {
    const met = new Array(places).fill(0)
    for (const value of data) met[value % places] += 1
    const most = Math.max(1, ...met)
    return {
      label: labelOf(path),
      strengths: met.map((times) => (times === 0 ? 0 : 0.4 + (0.6 * times) / most)),
    }
  })
}

/** The last connector of a path: `/nocturne:1/time:0` is `time`. */
function labelOf(path) {
  const [connector, dimension] = path.slice(path.lastIndexOf('/') + 1).split(':')
  return dimension === '0' ? connector : `${connector} ${dimension}`
}
