import { ADVANCE, Canvas } from './canvas.ts'
import { PALETTES, type Palette } from './palettes.ts'
import { DRAWN, type Figure, PICTURE_SIZES, type PictureScene } from './scene.ts'
import { type Box, drawNothing, drawScore } from './score.ts'

/** Draws a picture as PNG. */
export function drawPicture(scene: PictureScene): Promise<Uint8Array> {
  const [width, height] = PICTURE_SIZES[scene.size]
  const seed = seedOf(scene.seed)
  const palette = PALETTES[seed % PALETTES.length]!
  const turn = Math.floor(seed / PALETTES.length)
  const canvas = new Canvas(width, height, palette.ground)
  const isCard = scene.size === 'card'
  const words = isCard ? 178 : 0
  const turnedPalette = { ...palette, paths: rotated(palette.paths, turn) }
  const box = { x: 0, y: 0, width, height: height - words }
  drawFigure(canvas, scene.figure, box, turnedPalette, turn, isCard ? 2 : 1)
  if (isCard) drawWords(canvas, scene, words, turnedPalette)
  return canvas.png()
}

function rotated([first, ...rest]: Palette['paths'], by: number): Palette['paths'] {
  const all = [first, ...rest]
  const at = (index: number) => all[(index + by) % all.length]!
  return [at(0), ...rest.map((_, index) => at(index + 1))]
}

function drawFigure(
  canvas: Canvas,
  figure: Figure,
  box: Box,
  palette: Palette,
  seed: number,
  scale: number,
): void {
  if (figure.kind === 'answers') {
    drawAnswers(canvas, figure.rows, box, palette, scale)
    return
  }
  const most = scale === 2 ? DRAWN.steps : DRAWN.steps / 2
  const streams = figure.kind === 'bare' ? [] : figure.streams.slice(0, DRAWN.streams)
  const drawnStreams = streams.map((data) => data.slice(0, most)).filter(({ length }) => length > 0)
  if (drawnStreams.length === 0) drawNothing(canvas, box, palette, scale)
  else drawScore(canvas, drawnStreams, box, palette, seed, scale)
}

/** A field for every answer: filled for yes, an outline for no, nothing where there is none. */
function drawAnswers(
  canvas: Canvas,
  rows: readonly (readonly (boolean | undefined)[])[],
  box: Box,
  { paths: [color] }: Palette,
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
  canvas.fill(color)
  each(false, (x, y, size) =>
    canvas.stroke([x, y, x + size, y, x + size, y + size, x, y + size, x, y], 1.5 * scale),
  )
  canvas.fill(color, 0.35)
}

const MARGIN = 56

function drawWords(canvas: Canvas, { title, caption }: PictureScene, height: number, palette: Palette): void {
  const color = palette.paths[0]
  const top = canvas.height - height
  canvas.rectangle(0, top, canvas.width, height)
  canvas.fill(palette.ground)
  canvas.rectangle(0, top, canvas.width, 4)
  canvas.fill(color)
  const room = canvas.width - 2 * MARGIN
  const size = Math.max(30, Math.min(66, Math.floor(room / (ADVANCE * Math.max(1, [...title].length)))))
  canvas.text(fitted(title, size, room), MARGIN, top + 88, size, palette.ink, room)
  canvas.text(fitted(caption, 28, room - 120), MARGIN, top + 140, 28, palette.soft, room - 120)
  const mark = 'weft'
  const width = mark.length * ADVANCE * 28
  canvas.text(mark, canvas.width - MARGIN - width, top + 140, 28, color, width)
}

/** As many characters of a text as there is room for. */
function fitted(text: string, size: number, room: number): string {
  const most = Math.floor(room / (ADVANCE * size))
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

/** FNV-1a, and the last steps of MurmurHash3: names that differ in one letter get unlike seeds. */
function seedOf(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b)
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35)
  return (sum ^ (sum >>> 16)) >>> 0
}
