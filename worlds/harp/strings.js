/* The strings of a harp, from numbers, and how they hang in a frame of some size. */

const THREADS = [
  [147, 167, 255],
  [84, 209, 181],
  [232, 194, 76],
  [255, 141, 141],
  [234, 148, 211],
]
const FEET = 84

/** @returns {{ value: number, pitch: number, colour: string, swing: number, phase: number }[]} */
export function stringsOf(streams) {
  const data = (streams.find(({ path }) => path.endsWith('/pitch:0')) ?? streams[0])?.data ?? []
  const [low, high] = data.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, 0],
  )
  const audible = low >= 24 && high <= 100
  return data.map((value) => {
    const place = high > low ? (value - low) / (high - low) : 0.5
    return {
      value,
      place,
      // What is no pitch is tuned to five notes over three octaves.
      pitch: audible
        ? value
        : 48 + [0, 2, 4, 7, 9][Math.round(place * 14) % 5] + 12 * Math.floor(Math.round(place * 14) / 5),
      colour: mix(place),
      swing: 0,
      phase: 0,
    }
  })
}

/** Where string `place` hangs: its x, and its two ends. */
export function hangs(strings, place, width, height) {
  const margin = Math.min(56, width * 0.08)
  const step = (width - 2 * margin) / Math.max(1, strings.length - 1)
  const x = strings.length > 1 ? margin + step * place : width / 2
  const room = height - FEET - 28
  return { x, top: 28 + room * 0.62 * strings[place].place, bottom: height - FEET }
}

function mix(place) {
  const at = Math.min(THREADS.length - 1.000_001, place * (THREADS.length - 1))
  const [from, to] = [THREADS[Math.floor(at)], THREADS[Math.floor(at) + 1]]
  return `rgb(${from.map((byte, part) => Math.round(byte + (to[part] - byte) * (at % 1))).join(' ')})`
}
