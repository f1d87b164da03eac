import { Canvas, type Color } from './canvas.ts'
import { monoFont } from './font.ts'
import { DRAWN, type Figure, PICTURE_SIZES, type PictureScene } from './scene.ts'

/** Colours of the dark theme: a picture stands on pages of any colour. */
const GROUND: Color = [16, 18, 27]
const WARP: Color = [56, 60, 80]
const INK: Color = [236, 238, 240]
const SOFT: Color = [169, 174, 192]
/** In the order of `thread-colors.ts`. */
const DYES: readonly Color[] = [
  [147, 167, 255],
  [255, 141, 141],
  [84, 209, 181],
  [232, 194, 76],
  [234, 148, 211],
  [219, 168, 119],
]

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Draws a picture as PNG. */
export function drawPicture(scene: PictureScene): Promise<Uint8Array> {
  const [width, height] = PICTURE_SIZES[scene.size]
  const canvas = new Canvas(width, height, GROUND)
  const isCard = scene.size === 'card'
  const shift = seedOf(scene.seed) % DYES.length
  const words = isCard ? 178 : 0
  drawFigure(canvas, scene.figure, { x: 0, y: 0, width, height: height - words }, shift, isCard ? 2 : 1)
  if (isCard) drawWords(canvas, scene, words, DYES[shift]!)
  return canvas.png()
}

function drawFigure(canvas: Canvas, figure: Figure, box: Box, shift: number, scale: number): void {
  if (figure.kind === 'answers') {
    drawAnswers(canvas, figure.rows, box, shift, scale)
    return
  }
  const most = scale === 2 ? DRAWN.steps : DRAWN.steps / 2
  // Without numbers a thread comes in and ends: a bare warp looks like a picture that did not load.
  const streams =
    figure.kind === 'threads' ? figure.streams.slice(0, DRAWN.streams) : [Array(most / 3).fill(0)]
  const steps = figure.kind === 'threads' ? Math.max(8, Math.min(most, streams[0]?.length ?? most)) : most
  const gap = box.width / steps
  const warpWidth = 1.5 * scale
  for (let step = 0; step < steps; step++)
    canvas.rectangle(box.x + (step + 0.5) * gap - warpWidth / 2, box.y, warpWidth, box.height)
  canvas.fill(WARP)
  const reach = figure.kind === 'threads' ? box.width : box.width / 3
  const band = box.height / Math.max(1, streams.length)
  streams.forEach((data, index) => {
    const color = DYES[(index + shift) % DYES.length]!
    const thread = { x: box.x, y: box.y + index * band, width: reach, height: band }
    drawThread(canvas, data.slice(0, steps), thread, gap, color, scale)
  })
}

function drawThread(
  canvas: Canvas,
  data: readonly number[],
  box: Box,
  gap: number,
  color: Color,
  scale: number,
): void {
  if (data.length === 0) return
  const width = Math.max(3 * scale, Math.min(6 * scale, box.height / 9))
  const air = width + box.height * 0.1
  const low = Math.min(...data)
  const high = Math.max(...data)
  const heightOf = (value: number) =>
    high === low
      ? box.y + box.height / 2
      : box.y + box.height - air - ((value - low) / (high - low)) * (box.height - 2 * air)
  const heights = data.map(heightOf)
  const line = curve(heights, box.x, gap, box.width)
  // A veil below the thread gives its shape a body.
  canvas.outline([...line, line.at(-2)!, box.y + box.height, line[0]!, box.y + box.height])
  canvas.fill(color, 0.13)
  canvas.stroke(line, width + 4 * scale)
  canvas.fill(GROUND)
  canvas.stroke(line, width)
  canvas.fill(color)
  // Where a value is odd, the warp lies over the thread.
  const over = (extra: number, more: number) =>
    data.forEach((value, step) => {
      if (value % 2 === 0) return
      const x = box.x + (step + 0.5) * gap
      const reach = width / 2 + 2 * scale + more
      canvas.rectangle(x - extra / 2, heights[step]! - reach, extra, 2 * reach)
    })
  over(5 * scale, 0)
  canvas.fill(GROUND)
  over(1.5 * scale, 2 * scale)
  canvas.fill(WARP)
}

const CURVE_STEPS = 6

/** A curve through all heights that never leaves the range between two neighbours; level up to both borders. */
function curve(heights: readonly number[], x: number, gap: number, width: number): number[] {
  const points = [x - gap, heights[0]!]
  heights.forEach((height, step) => {
    const at = x + (step + 0.5) * gap
    points.push(at, height)
    const next = heights[step + 1]
    if (next === undefined || next === height) return
    for (let part = 1; part < CURVE_STEPS; part++) {
      const t = part / CURVE_STEPS
      points.push(at + t * gap, height + (next - height) * t * t * (3 - 2 * t))
    }
  })
  return [...points, Math.max(x + width + gap, points.at(-2)!), heights.at(-1)!]
}

/** A field for every answer: filled for yes, an outline for no, nothing where there is none. */
function drawAnswers(
  canvas: Canvas,
  rows: readonly (readonly (boolean | undefined)[])[],
  box: Box,
  shift: number,
  scale: number,
): void {
  const columns = Math.max(1, ...rows.map((row) => row.length))
  const side = Math.min((box.width * 0.9) / columns, (box.height * 0.86) / Math.max(1, rows.length))
  const left = box.x + (box.width - side * columns) / 2
  const top = box.y + (box.height - side * rows.length) / 2
  const each = (answer: boolean, draw: (x: number, y: number, size: number) => void) => {
    for (const [y, row] of rows.entries()) {
      for (const [x, given] of row.entries()) {
        if (given === answer) draw(left + (x + 0.1) * side, top + (y + 0.1) * side, side * 0.8)
      }
    }
  }
  each(true, (x, y, size) => canvas.rectangle(x, y, size, size))
  canvas.fill(DYES[shift]!)
  each(false, (x, y, size) =>
    canvas.stroke([x, y, x + size, y, x + size, y + size, x, y + size, x, y], 1.5 * scale),
  )
  canvas.fill(WARP)
}

const MARGIN = 56

function drawWords(canvas: Canvas, { title, caption }: PictureScene, height: number, dye: Color): void {
  const top = canvas.height - height
  canvas.rectangle(0, top, canvas.width, height)
  canvas.fill(GROUND)
  canvas.rectangle(0, top, canvas.width, 4)
  canvas.fill(dye)
  const room = canvas.width - 2 * MARGIN
  const size = Math.max(
    30,
    Math.min(66, Math.floor(room / (monoFont().advance * Math.max(1, [...title].length)))),
  )
  canvas.text(fitted(title, size, room), MARGIN, top + 88, size)
  canvas.fill(INK)
  canvas.text(fitted(caption, 28, room - 120), MARGIN, top + 140, 28)
  canvas.fill(SOFT)
  const mark = 'weft'
  canvas.text(mark, canvas.width - MARGIN - mark.length * monoFont().advance * 28, top + 140, 28)
  canvas.fill(dye)
}

/** As many characters of a text as there is room for. */
function fitted(text: string, size: number, room: number): string {
  const most = Math.floor(room / (monoFont().advance * size))
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

function seedOf(text: string): number {
  let sum = 7
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) >>> 0
  // The low bits of such a sum hardly depend on the first characters.
  return (sum ^ (sum >>> 15)) >>> 0
}
