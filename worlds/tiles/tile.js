/* How tiles look. */

/** Ground, the two ends of the ink, and the mark of the present step; light, then dark. */
const PALETTES = [
  { light: ['#f4efe3', '#27408f', '#a8243f', '#e0a100'], dark: ['#10131f', '#93a7ff', '#ff8d8d', '#ffe08a'] },
  { light: ['#f1f0ea', '#0c5f55', '#27408f', '#d6532a'], dark: ['#0c1518', '#54d1b5', '#93a7ff', '#ffb37a'] },
  { light: ['#f6ecdf', '#8d2f6e', '#c2502b', '#27408f'], dark: ['#170f1a', '#ea94d3', '#ffb37a', '#9fe7ff'] },
  { light: ['#f2efdf', '#6b4a17', '#0c5f55', '#a8243f'], dark: ['#14130d', '#e8c24c', '#54d1b5', '#ff9a9a'] },
  { light: ['#eceef2', '#1c2340', '#4256b0', '#c8324a'], dark: ['#0a0c12', '#e8ecf6', '#7f93e8', '#ff9a9a'] },
]

/** @param {number} place 0 to 1. */
export function paletteOf(place, isDark) {
  const palette = PALETTES[Math.min(PALETTES.length - 1, Math.floor(place * PALETTES.length))]
  const [ground, from, to, mark] = isDark ? palette.dark : palette.light
  return { ground, from, to, mark }
}

/**
 * Draws a tile into the square from 0, 0 to `side`.
 *
 * @param {object} tile With its place as `column` and `row`, and `turn` as it lies now.
 * @param {CanvasGradient | string} ink
 */
export function drawTile(pen, kind, tile, side, { ground, ink, from, to }) {
  pen.fillStyle = ground
  pen.fillRect(0, 0, side, side)
  pen.fillStyle = ink
  pen.strokeStyle = ink
  KINDS[kind](pen, tile, side, { ground, ink, from, to })
}

const KINDS = {
  /** Truchet's: two quarters of a disc, coloured so that neighbours go on. */
  arcs: (pen, { turn, column, row }, side, { ground, ink }) => {
    const isTurned = turn % 2 === 1
    const isInk = (column + row + (isTurned ? 1 : 0)) % 2 === 0
    pen.fillStyle = isInk ? ink : ground
    pen.fillRect(0, 0, side, side)
    pen.fillStyle = isInk ? ground : ink
    for (const [x, y, from] of isTurned
      ? [
          [side, 0, 0.5],
          [0, side, 1.5],
        ]
      : [
          [0, 0, 0],
          [side, side, 1],
        ]) {
      pen.beginPath()
      pen.moveTo(x, y)
      pen.arc(x, y, side / 2, from * Math.PI, (from + 0.5) * Math.PI)
      pen.fill()
    }
  },
  lines: (pen, { turn }, side) => {
    pen.lineWidth = side * 0.24
    pen.lineCap = 'square'
    pen.save()
    pen.beginPath()
    pen.rect(0, 0, side, side)
    pen.clip()
    pen.beginPath()
    const [start, end] = turn % 2 === 1 ? [0, side] : [side, 0]
    pen.moveTo(start, 0)
    pen.lineTo(end, side)
    pen.stroke()
    pen.restore()
  },
  /** A quarter of a disc in one of four corners, on a field of its tone. */
  quarters: (pen, { turn, tone }, side, { ground, from, to }) => {
    const corner = turn % 4
    const [x, y] = [corner === 1 || corner === 2 ? side : 0, corner >= 2 ? side : 0]
    pen.fillStyle = `color-mix(in oklab, ${ground} 84%, ${tone < 0.5 ? from : to})`
    pen.fillRect(0, 0, side, side)
    pen.fillStyle = `color-mix(in oklab, ${from} ${Math.round(100 - tone * 100)}%, ${to})`
    pen.beginPath()
    pen.moveTo(x, y)
    pen.arc(x, y, side, corner * 0.5 * Math.PI, (corner + 1) * 0.5 * Math.PI)
    pen.fill()
    pen.fillStyle = ground
    pen.beginPath()
    pen.moveTo(x, y)
    pen.arc(x, y, side * (0.2 + 0.35 * tone), corner * 0.5 * Math.PI, (corner + 1) * 0.5 * Math.PI)
    pen.fill()
  },
  cells: (pen, { on }, side) => {
    const gap = side < 7 ? 0 : side * 0.09
    if (on) {
      pen.beginPath()
      pen.roundRect(gap, gap, side - 2 * gap, side - 2 * gap, side * 0.16)
      pen.fill()
    } else {
      pen.globalAlpha = 0.16
      pen.beginPath()
      pen.arc(side / 2, side / 2, Math.max(0.5, side * 0.07), 0, 2 * Math.PI)
      pen.fill()
      pen.globalAlpha = 1
    }
  },
}
