/* What a weaver calls a draft: colour and shaft of every thread, from the numbers of a run. */

/** The dyes, from the lowest number of a stream to its highest. */
const WARP = ['#1f2b6b', '#3450b4', '#7d92ee', '#e9e4d3', '#e8c24c', '#c7702f', '#93307c']
const WEFT = ['#5d1633', '#b3283f', '#ef8a75', '#f4ecd9', '#7fd3bd', '#0c7562', '#123f4a']
const MOST_THREADS = 96
const FEWEST_THREADS = 24

/** @returns {{ warp: Uint8Array, weft: Uint8Array, threads: number }} Four bytes a thread: colour, then shaft 0..3. */
export function draftOf(streams) {
  const across = streams[0]?.data ?? []
  const down = streams[1]?.data ?? across
  const threads = Math.max(FEWEST_THREADS, Math.min(MOST_THREADS, across.length))
  return { warp: threadsOf(across, threads, WARP), weft: threadsOf(down, threads, WEFT), threads }
}

function threadsOf(data, threads, dyes) {
  const [low, high] = data.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, 0],
  )
  const bytes = new Uint8Array(threads * 4)
  // A short run is repeated until the loom is full.
  for (let thread = 0; thread < threads && data.length > 0; thread += 1) {
    const value = data[thread % data.length]
    const colour = mix(dyes, high > low ? (value - low) / (high - low) : 0.5)
    // Threads of one colour still move from shaft to shaft: a cloth of one number holds together.
    bytes.set([...colour, (value + thread) % 4], thread * 4)
  }
  return bytes
}

/** @param {number} place 0 to 1. @returns three bytes. */
function mix(dyes, place) {
  const at = Math.min(dyes.length - 1.000_001, place * (dyes.length - 1))
  const [from, to] = [dyes[Math.floor(at)], dyes[Math.floor(at) + 1]].map(bytesOf)
  return from.map((byte, part) => Math.round(byte + (to[part] - byte) * (at % 1)))
}

function bytesOf(hex) {
  return [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))
}
