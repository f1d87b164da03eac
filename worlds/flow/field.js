/* Numbers to wind: an angle at every place, smooth between the numbers. */
import { isCount, scaleOf, stepsOf } from './shared/streams.js'

/** At most this many numbers a way: a finer wind is noise. */
const MOST_SIDE = 14

/**
 * @param {number} ratio Width of the air by its height.
 * @returns {{ at(x: number, y: number): number, tone(x: number, y: number): number, gust(step: number): number }} Places
 *   are 0 to 1; `at` is in radians, `tone` and `gust` are 0 to 1.
 */
export function windOf(streams, ratio) {
  const used = streams.filter(({ data }) => data.length > 0)
  const steered = used.filter(({ data }) => !isCount(data))
  const [first, second] = steered.length > 0 ? steered : used
  if (first === undefined) return { at: () => 0, tone: () => 0, gust: () => 0.5 }
  const count = Math.min(4096, stepsOf([first]))
  const side = Math.min(MOST_SIDE, Math.max(2, Math.sqrt(count)))
  const columns = Math.max(2, Math.min(18, Math.round(side * Math.sqrt(ratio))))
  const rows = Math.max(2, Math.min(18, Math.round(side / Math.sqrt(ratio))))
  const gridOf = ({ data }) => {
    const scale = scaleOf(data)
    // Of more numbers than places, each place has one of its part of the run.
    return Float32Array.from({ length: columns * rows }, (_, place) =>
      scale(data[Math.floor((place * data.length) / (columns * rows))]),
    )
  }
  const angles = gridOf(first)
  const tones = second ? gridOf(second) : angles
  const turn = Math.min(2.2, 0.8 + new Set(first.data).size / 8) * Math.PI
  const isEven = new Set(first.data).size === 1
  const gusts = scaleOf(first.data)
  return {
    // A wind of one number alone is a swell.
    at: (x, y) =>
      isEven ? Math.sin(4 * y + 3 * x) * 0.9 : turn * (between(angles, columns, rows, x, y) - 0.5),
    tone: (x, y) => (isEven && !second ? (x + y) / 2 : between(tones, columns, rows, x, y)),
    gust: (step) => gusts(first.data[step % first.data.length]),
  }
}

/** Between four places of a grid, smoothly. */
function between(grid, columns, rows, x, y) {
  const [across, down] = [clamp(x) * (columns - 1), clamp(y) * (rows - 1)]
  const [left, top] = [Math.min(columns - 2, Math.floor(across)), Math.min(rows - 2, Math.floor(down))]
  const [u, v] = [smooth(across - left), smooth(down - top)]
  const at = (column, row) => grid[row * columns + column]
  const upper = at(left, top) * (1 - u) + at(left + 1, top) * u
  const lower = at(left, top + 1) * (1 - u) + at(left + 1, top + 1) * u
  return upper * (1 - v) + lower * v
}

function clamp(value) {
  return Math.max(0, Math.min(1, value))
}

function smooth(t) {
  return t * t * (3 - 2 * t)
}
