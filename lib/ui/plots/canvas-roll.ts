import { REST, rowsOf } from '#lib/engine/sound/notes.ts'
import { type Palette, plotOf, type Scene, type Size } from './scene.ts'

const BLACK_KEYS = new Set([1, 3, 6, 8, 10])
const NOTES = 128
const FEWEST_ROWS = 12
const LABEL_FROM_PX = 10

/** The notes that the streams play, over the keys of a piano; what is muted is faint. */
export function drawRoll(
  context: CanvasRenderingContext2D,
  size: Size,
  { kind, window, parts = [] }: Scene,
  { threads, soft, line, sunk }: Palette,
): void {
  const plot = plotOf(kind, size)
  const [lowest, highest] = keysOf(parts.flatMap(rowsOf).map(({ notes }) => notes))
  const row = plot.height / (highest - lowest + 1)
  const topOf = (note: number) => plot.top + (highest - note) * row
  context.font = '11px ui-monospace, monospace'
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  for (let note = lowest; note <= highest; note++) {
    if (BLACK_KEYS.has(note % 12)) {
      context.fillStyle = sunk
      context.fillRect(plot.left, topOf(note), plot.width, row)
    }
    if (note % 12 !== 0) continue
    context.fillStyle = line
    context.fillRect(0, Math.round(topOf(note) + row), size.width, 1)
    if (row * 12 < LABEL_FROM_PX) continue
    context.fillStyle = soft
    context.fillText(`C${note / 12 - 1}`, 6, Math.min(plot.height - 6, Math.max(6, topOf(note) + row / 2)))
  }
  const steps = window.last - window.first + 1
  const cell = plot.width / steps
  const gap = cell > 4 ? 1 : 0
  const thick = Math.max(2, row > 5 ? row - 1 : row)
  for (const [index, part] of parts.entries()) {
    context.fillStyle = threads[index % threads.length]!
    context.globalAlpha = part.isMuted ? 0.2 : 0.85
    const bar = (note: number, from: number, to: number) =>
      context.fillRect(
        plot.left + (from - window.first) * cell,
        topOf(note),
        Math.max(1, (to - from + 1) * cell - gap),
        thick,
      )
    for (const { notes, lengths } of rowsOf(part)) {
      if (cell >= 1) {
        for (let step = window.first; step <= window.last; step++) {
          const note = notes[step] ?? REST
          if (note !== REST) bar(note, step, Math.min(window.last, step + (lengths?.[step] ?? 1) - 1))
        }
      } else drawRuns(notes, window, Math.ceil(1 / cell), bar)
    }
  }
  context.globalAlpha = 1
}

/** Joins the repetitions of a note that are closer than a pixel. */
function drawRuns(
  notes: Int8Array,
  { first, last }: Scene['window'],
  pixel: number,
  bar: (note: number, from: number, to: number) => void,
): void {
  const from = new Int32Array(NOTES).fill(-1)
  const to = new Int32Array(NOTES)
  for (let step = first; step <= last; step++) {
    const note = notes[step] ?? REST
    if (note === REST) continue
    if (from[note]! >= 0 && step - to[note]! > pixel) {
      bar(note, from[note]!, to[note]!)
      from[note] = step
    } else if (from[note]! < 0) from[note] = step
    to[note] = step
  }
  for (let note = 0; note < NOTES; note++) if (from[note]! >= 0) bar(note, from[note]!, to[note]!)
}

function keysOf(all: readonly Int8Array[]): [number, number] {
  let lowest = NOTES
  let highest = 0
  for (const notes of all) {
    for (const note of notes) {
      if (note === REST) continue
      if (note < lowest) lowest = note
      if (note > highest) highest = note
    }
  }
  if (lowest > highest) return [60, 60 + FEWEST_ROWS]
  const missing = Math.max(2, FEWEST_ROWS - (highest - lowest))
  return [
    Math.max(0, lowest - Math.floor(missing / 2)),
    Math.min(NOTES - 1, highest + Math.ceil(missing / 2)),
  ]
}
