import { type Extent, extentOf } from '#lib/engine/sound/extent.ts'
import { stepsOfLine, valueRange } from './series.ts'

/** More points would be finer than a line on a screen. */
const COLUMNS = 300
/** Height of the picture in units; a unit of its width is a step. */
export const LINE_HEIGHT = 200

/** A series as a line from step to step, in SVG. */
export interface LinePath {
  /** Command that moves to its first point. */
  readonly start: string
  /** Relative moves to its other points, at least one. */
  readonly moves: readonly string[]
}

/** @param extent Of the value axis; by default that of the series. */
export function linePath(data: ArrayLike<number>, extent: Extent = extentOf(data)): LinePath {
  const [low, high] = valueRange(extent)
  const x = stepsOfLine(data, COLUMNS)
  const heights = x.map((step) => Math.round((1 - (data[step]! - low) / (high - low)) * LINE_HEIGHT))
  // Steps as they are and whole numbers: pages are shorter, and what repeats is written alike.
  const moves = heights.slice(1).map((height, i) => `${x[i + 1]! - x[i]!} ${height - heights[i]!}`)
  // A single particle is a thread of one value across the whole width.
  if (moves.length === 0) moves.push('1 0')
  return { start: `M${x[0] ?? 0} ${heights[0] ?? 0}`, moves }
}

/** The `viewBox` of lines of so many steps. */
export function lineBox(steps: number): string {
  return `0 0 ${Math.max(1, steps - 1)} ${LINE_HEIGHT}`
}
