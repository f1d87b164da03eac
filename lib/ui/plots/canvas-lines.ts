import { type Box, heightOf, isApart, laneOf, type Palette, plotOf, type Scene, type Size } from './scene.ts'
import { columnsOf } from './series.ts'
import type { Window } from './window.ts'

/** Narrower steps have no dots. */
const DOT_FROM_PX = 9

interface Style {
  readonly color: string
  readonly isPinned: boolean
}

/** Lines: each stream in its own lane, or all in one. The pinned run lies behind, dashed. */
export function drawLines(
  context: CanvasRenderingContext2D,
  size: Size,
  { kind, streams, before, window, ranges, together, chosen }: Scene,
  { threads, soft, line }: Palette,
): void {
  const apart = isApart({ kind, together })
  const plot = plotOf(kind, size)
  const order = streams.map((_, index) => index)
  // The chosen one lies on top.
  if (!apart) order.push(...order.splice(chosen, 1))
  for (const index of order) {
    const lane = apart ? laneOf(index, streams.length, plot) : laneOf(0, 1, plot)
    const range = ranges[index]!
    const color = threads[index % threads.length]!
    if (apart && index > 0) {
      context.fillStyle = line
      context.fillRect(0, Math.round((index * plot.height) / streams.length), size.width, 1)
    }
    const pinned = before?.[index]
    if (pinned) {
      const pinnedColor = apart ? soft : color
      drawSeries(context, pinned, window, lane, range, { color: pinnedColor, isPinned: true })
    }
    drawSeries(context, streams[index]!.data, window, lane, range, { color, isPinned: false })
  }
}

/** One stream: a line through its values, or bands of the smallest and largest where steps are narrower than pixels. */
export function drawSeries(
  context: CanvasRenderingContext2D,
  data: readonly number[],
  window: Window,
  box: Box,
  range: readonly [number, number],
  { color, isPinned }: Style,
): void {
  const { first } = window
  const last = Math.min(window.last, data.length - 1)
  if (last < first) return
  const cell = box.width / (window.last - first + 1)
  const top = (value: number) => box.top + heightOf(value, range) * box.height
  context.strokeStyle = color
  context.fillStyle = color
  context.lineJoin = 'round'
  context.setLineDash(isPinned ? [4, 3] : [])
  const columns = Math.max(1, Math.floor((last - first + 1) * cell))
  if (last - first + 1 > columns) {
    drawBands(context, data, { first, last }, columns, { left: box.left, top, isPinned })
  } else {
    context.lineWidth = cell < 2 ? 1 : 1.75
    context.beginPath()
    for (let step = first; step <= last; step++) {
      const left = box.left + (step - first) * cell
      const y = top(data[step]!)
      if (first === last) {
        context.lineTo(left, y)
        context.lineTo(left + cell, y)
      } else context.lineTo(left + cell / 2, y)
    }
    context.stroke()
    if (cell >= DOT_FROM_PX && !isPinned) {
      context.beginPath()
      for (let step = first; step <= last; step++) {
        const x = box.left + (step - first + 0.5) * cell
        const y = top(data[step]!)
        context.moveTo(x + 2.5, y)
        context.arc(x, y, 2.5, 0, Math.PI * 2)
      }
      context.fill()
    }
  }
  context.setLineDash([])
}

function drawBands(
  context: CanvasRenderingContext2D,
  data: readonly number[],
  window: Window,
  columns: number,
  { left, top, isPinned }: { left: number; top: (value: number) => number; isPinned: boolean },
): void {
  const { low, high, mean } = columnsOf(data, window, columns)
  context.globalAlpha = isPinned ? 0.2 : 0.4
  context.beginPath()
  for (let column = 0; column < columns; column++) {
    const y = top(data[high[column]!]!)
    context.rect(left + column, y, 1, Math.max(1, top(data[low[column]!]!) - y))
  }
  context.fill()
  context.globalAlpha = 1
  context.lineWidth = 1
  context.beginPath()
  for (let column = 0; column < columns; column++) context.lineTo(left + column + 0.5, top(mean[column]!))
  context.stroke()
}
