/* Numbers to a field of tiles. */
import { extentOf, scaleOf, stepsOf } from './shared/streams.js'

export const MOST_STEPS = 4096
/** From here on a number is a row of bits, as a cellular automaton writes them. */
const FEWEST_OF_BITS = 1024
const COLUMNS = [4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128]

/**
 * @param {number} ratio Width of the field by its height.
 * @returns {{ columns: number, rows: number, kind: string, tiles: { turn: number, tone: number, step: number, on: boolean }[] }}
 *   Row by row; `turn` counts quarters, `tone` is 0 to 1, `step` is whose number it is.
 */
export function fieldOf(streams, ratio) {
  const used = streams.filter(({ data }) => data.length > 0)
  const count = Math.min(MOST_STEPS, stepsOf(used))
  if (count === 0) return { columns: 0, rows: 0, kind: 'arcs', tiles: [] }
  const data = used[0].data.slice(0, count)
  const tones = used[1]?.data
  const [, most] = extentOf(data)
  return most >= FEWEST_OF_BITS ? bits(data, ratio) : single(data, tones, ratio)
}

/** A tile for each step; the run begins again where the field has more. */
function single(data, tones, ratio) {
  const columns = nearest(Math.sqrt(data.length * ratio))
  const rows = Math.max(2, Math.round(columns / ratio), Math.ceil(data.length / columns))
  const values = [...new Set(data)].sort((a, b) => a - b)
  const ranks = new Map(values.map((value, rank) => [value, rank]))
  const scale = scaleOf(tones ?? data)
  const tiles = Array.from({ length: columns * rows }, (_, place) => {
    const step = place % data.length
    const rank = ranks.get(data[step])
    return {
      // A field of one number alone still has a pattern: every second tile is turned.
      turn: values.length === 1 ? (place + Math.floor(place / columns)) % 2 : rank % 4,
      tone: scale((tones ?? data)[step % (tones ?? data).length]),
      step,
      on: values.length === 1 || rank * 2 >= values.length,
    }
  })
  return { columns, rows, kind: values.length <= 2 ? 'arcs' : 'quarters', tiles }
}

/** A row for each step, a tile for each bit. */
function bits(data, ratio) {
  const all = data.reduce((sum, value) => (sum | value) >>> 0, 0)
  const low = all === 0 ? 0 : 31 - Math.clz32(all & -all)
  const high = 32 - Math.clz32(all)
  const wide = Math.max(8, high - low)
  // A narrow number stands in the middle, and is mirrored to both sides until the field is full.
  const rows = Math.max(2, data.length)
  const columns = Math.max(wide, Math.min(4 * wide, Math.round(rows * ratio)))
  const margin = Math.floor((columns - wide) / 2)
  const tiles = []
  for (let row = 0; row < rows; row += 1) {
    const value = data[row % data.length]
    for (let column = 0; column < columns; column += 1) {
      const place = (((column - margin) % (2 * wide)) + 2 * wide) % (2 * wide)
      const bit = low + wide - 1 - (place < wide ? place : 2 * wide - 1 - place)
      const on = bit < 32 && ((value >>> bit) & 1) === 1
      tiles.push({ turn: on ? 1 : 0, tone: row / Math.max(1, rows - 1), step: row % data.length, on })
    }
  }
  return { columns, rows, kind: 'cells', tiles }
}

function nearest(columns) {
  return COLUMNS.reduce((best, each) =>
    Math.abs(Math.log(each / columns)) < Math.abs(Math.log(best / columns)) ? each : best,
  )
}
