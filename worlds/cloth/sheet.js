/* The weaver's draft on paper: threading above, treadling at the side, tie-up in the corner, and what they weave. */
import { isWarpOnTop, SHAFTS } from './draft.js'

const LIGHT = { paper: '#f7f2e6', line: '#cfc7b4', ink: '#171a2e', mark: '#a8243f' }
const DARK = { paper: '#12141f', line: '#2f3448', ink: '#eceef0', mark: '#ff9a9a' }
const [LEAST_CELL, MOST_CELL] = [9, 24]
/** Cells beside the weave: shafts or treadles, and a gap. */
const BESIDE = SHAFTS + 1
/** Room for the button below the draft. */
const FOOT = 48

/** @param {number} pick Thread of the weft that sounds, which is always on the sheet; -1 of none. */
export function drawDraft(pen, { width, height, isDark }, { warp, weft, threads }, pick) {
  const face = isDark ? DARK : LIGHT
  const margin = Math.max(10, Math.min(width, height) * 0.05)
  const room = [width - 2 * margin, height - 2 * margin - FOOT]
  const cell = Math.max(LEAST_CELL, Math.min(MOST_CELL, Math.min(...room) / (threads / 2 + BESIDE)))
  const [columns, rows] = room.map((side) => Math.max(1, Math.min(threads, Math.floor(side / cell) - BESIDE)))
  const first = pick < 0 ? 0 : Math.floor(pick / rows) * rows
  const left = (width - (columns + BESIDE) * cell) / 2
  const top = (height - FOOT - (rows + BESIDE) * cell) / 2
  const shaftOf = (bytes, thread) => bytes[(thread % threads) * 4 + 3]
  const colourOf = (bytes, thread) =>
    `rgb(${[...bytes.subarray((thread % threads) * 4, (thread % threads) * 4 + 3)].join(' ')})`
  pen.fillStyle = face.paper
  pen.fillRect(0, 0, width, height)

  /** A part of the draft, with the colour of each cell; undefined for paper. */
  function part(x, y, wide, high, colour) {
    for (let row = 0; row < high; row += 1) {
      for (let column = 0; column < wide; column += 1) {
        const filled = colour(column, row)
        if (filled === undefined) continue
        pen.fillStyle = filled
        pen.fillRect(x + column * cell, y + row * cell, cell, cell)
      }
    }
    pen.strokeStyle = face.line
    pen.lineWidth = 1
    pen.beginPath()
    for (let column = 0; column <= wide; column += 1) {
      pen.moveTo(x + column * cell, y)
      pen.lineTo(x + column * cell, y + high * cell)
    }
    for (let row = 0; row <= high; row += 1) {
      pen.moveTo(x, y + row * cell)
      pen.lineTo(x + wide * cell, y + row * cell)
    }
    pen.stroke()
  }

  const ink = (is) => (is ? face.ink : undefined)
  // The first shaft is the one next to the weave.
  const shaftAt = (row) => SHAFTS - 1 - row
  const [side, below] = [left + (columns + 1) * cell, top + BESIDE * cell]
  part(left, top, columns, SHAFTS, (column, row) => ink(shaftOf(warp, column) === shaftAt(row)))
  part(side, top, SHAFTS, SHAFTS, (treadle, row) => ink(isWarpOnTop(shaftAt(row), treadle)))
  part(side, below, SHAFTS, rows, (treadle, row) =>
    shaftOf(weft, first + row) === treadle ? (first + row === pick ? face.mark : face.ink) : undefined,
  )
  part(left, below, columns, rows, (column, row) =>
    isWarpOnTop(shaftOf(warp, column), shaftOf(weft, first + row))
      ? colourOf(warp, column)
      : colourOf(weft, first + row),
  )
  if (pick < 0) return
  pen.strokeStyle = face.mark
  pen.lineWidth = 2
  pen.strokeRect(left, below + (pick - first) * cell, columns * cell, cell)
}
