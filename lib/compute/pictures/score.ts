import type { Canvas, Color } from './canvas.ts'
import type { Palette } from './palettes.ts'

/*
 * Streams of numbers laid out like a score: what moves in few steps as notes, what is on or off as a grid, all else as
 * filled bands.
 */

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Kind = 'notes' | 'grid' | 'band' | 'rest'

interface Path {
  readonly data: readonly number[]
  readonly kind: Kind
  readonly color: Color
}

/** Different heights that are told apart as notes. */
const MAX_NOTES = 26
/** Room that a path takes beside others. */
const WEIGHTS: Readonly<Record<Kind, number>> = { notes: 3, band: 2.4, grid: 1, rest: 0.5 }

/**
 * Draws streams as a score.
 *
 * @param seed Chooses between paths below each other and paths over each other.
 * @param scale Pixels of a thin line.
 */
export function drawScore(
  canvas: Canvas,
  streams: readonly (readonly number[])[],
  box: Box,
  palette: Palette,
  seed: number,
  scale: number,
): void {
  const paths = streams.map((data, index): Path => {
    const color = palette.paths[index % palette.paths.length]!
    return { data, kind: kindOf(data), color }
  })
  const air = 14 * scale
  const inner = { x: box.x, y: box.y + air, width: box.width, height: box.height - 2 * air }
  const raised = paths.filter(({ kind }) => kind === 'notes' || kind === 'band')
  const isOverlaid = raised.length > 1 && raised.length < 4 && seed % 2 === 0
  const rows = isOverlaid
    ? [raised, ...paths.filter((path) => !raised.includes(path)).map((path) => [path])]
    : paths.map((path) => [path])
  const weightOf = (row: readonly Path[]) =>
    Math.max(...row.map(({ kind }) => WEIGHTS[kind])) * (row.length > 1 ? 2 : 1)
  const whole = rows.reduce((sum, row) => sum + weightOf(row), 0)
  let y = inner.y
  for (const row of rows) {
    const height = (inner.height * weightOf(row)) / whole
    // The last row stands on the edge of the picture.
    const isLast = row === rows.at(-1) && row.some(({ kind }) => kind === 'band')
    const band = { x: inner.x, y, width: inner.width, height: isLast ? height + air : height }
    // Bands first, so that notes lie over them.
    for (const path of row.toSorted((one, other) => order(one) - order(other))) {
      drawPath(canvas, path, band, scale)
    }
    y += height
  }
}

/** Draws a line of dots that ends: there are no numbers. */
export function drawNothing(canvas: Canvas, box: Box, { paths }: Palette, scale: number): void {
  const dots = 12
  const gap = box.width / (dots + 1)
  for (let dot = 0; dot < dots; dot++) {
    const size = Math.max(1.5, 9 - dot) * scale
    canvas.stroke([box.x + (dot + 1) * gap, box.y + box.height / 2], size)
  }
  canvas.fill(paths[0])
}

function order({ kind }: Path): number {
  return kind === 'band' ? 0 : 1
}

function kindOf(data: readonly number[]): Kind {
  const values = new Set(data)
  if (values.size <= 1) return 'rest'
  if (values.size === 2) return 'grid'
  return values.size <= MAX_NOTES ? 'notes' : 'band'
}

function drawPath(canvas: Canvas, { data, kind, color }: Path, box: Box, scale: number): void {
  if (data.length === 0) return
  const gap = box.width / data.length
  if (kind === 'notes') drawNotes(canvas, data, box, gap, color, scale)
  else if (kind === 'grid') drawGrid(canvas, data, box, gap, color, scale)
  else if (kind === 'band') drawBand(canvas, data, box, gap, color, scale)
  else drawRest(canvas, box, color, scale)
}

/** Notes as bars, as long as their value stays, joined by a thin line. */
function drawNotes(
  canvas: Canvas,
  data: readonly number[],
  box: Box,
  gap: number,
  color: Color,
  scale: number,
): void {
  const heights = [...new Set(data)].sort((one, other) => one - other)
  // By rank where a few values lie far apart, so that none of them is flattened.
  const rank = new Map(heights.map((value, index) => [value, index / (heights.length - 1)]))
  const thickness = Math.max(3 * scale, Math.min(11 * scale, (box.height * 0.8) / heights.length))
  const room = box.height - 2 * thickness
  const yOf = (value: number) => box.y + box.height - thickness - rank.get(value)! * room
  const notes: { from: number; to: number; value: number }[] = []
  data.forEach((value, step) => {
    const last = notes.at(-1)
    if (last?.value === value) last.to = step + 1
    else notes.push({ from: step, to: step + 1, value })
  })
  for (const [index, { from, value }] of notes.entries()) {
    const before = notes[index - 1]
    if (before) canvas.stroke([box.x + from * gap, yOf(before.value), box.x + from * gap, yOf(value)], scale)
  }
  canvas.fill(color, 0.3)
  for (const { from, to, value } of notes) {
    const inset = Math.min(thickness / 2 + scale, gap * 0.45)
    const [left, right] = [box.x + from * gap + inset, box.x + to * gap - inset]
    canvas.stroke([left, yOf(value), Math.max(left + 0.1, right), yOf(value)], thickness)
  }
  canvas.fill(color)
}

/** Steps as fields: filled where the larger value is, a dot where the smaller one is. */
function drawGrid(
  canvas: Canvas,
  data: readonly number[],
  box: Box,
  gap: number,
  color: Color,
  scale: number,
): void {
  const most = Math.max(...data)
  const side = Math.max(2 * scale, Math.min(gap * 0.72, 26 * scale))
  const tall = Math.max(side, box.height * 0.66)
  const middle = box.y + box.height / 2
  data.forEach((value, step) => {
    if (value !== most) canvas.stroke([box.x + (step + 0.5) * gap, middle], Math.max(2 * scale, side / 5))
  })
  canvas.fill(color, 0.55)
  data.forEach((value, step) => {
    if (value === most) canvas.rectangle(box.x + (step + 0.5) * gap - side / 2, middle - tall / 2, side, tall)
  })
  canvas.fill(color)
}

/** Values as an area with a line on it. */
function drawBand(
  canvas: Canvas,
  data: readonly number[],
  box: Box,
  gap: number,
  color: Color,
  scale: number,
): void {
  const low = Math.min(...data)
  const high = Math.max(...data)
  const room = box.height * 0.86
  const floor = box.y + box.height
  const yOf = (value: number) => floor - box.height * 0.05 - ((value - low) / (high - low)) * room
  const line = curve(data.map(yOf), box.x, gap, box.width)
  canvas.outline([...line, line.at(-2)!, floor, line[0]!, floor])
  canvas.fill(color, 0.34)
  canvas.stroke(line, 3 * scale)
  canvas.fill(color)
}

function drawRest(canvas: Canvas, box: Box, color: Color, scale: number): void {
  const y = box.y + box.height / 2
  canvas.stroke([box.x, y, box.x + box.width, y], 2 * scale)
  canvas.fill(color, 0.7)
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
