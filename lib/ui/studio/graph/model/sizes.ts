import { memoizeByObject } from '#lib/studio/document/memoize.ts'
import type { GraphNode } from './graph-of.ts'
import type { Line } from './lines.ts'

/*
 * Nodes have the size that follows from their lines, in pixels of the canvas: nothing has to be measured before it can
 * be laid out or linked, also what is out of sight.
 */

export const NODE_WIDTH = 344
export const HEAD_HEIGHT = 48
export const LINE_HEIGHT = 34
const FOOT = 6

/** Argument fields beside a name, and in each further row. */
export const ARGS_BESIDE = 2
export const ARGS_A_ROW = 5
/** Argument fields shown; the outline has the others. */
export const MAX_ARGS = ARGS_BESIDE + ARGS_A_ROW * 3

/** Argument fields of a call or condition: those it has, and those it should have. */
export function fieldsOf(args: readonly string[], takes: number | undefined): number {
  return Math.min(Math.max(args.length, takes ?? 0), MAX_ARGS)
}

export function heightOfLine(line: Line): number {
  if (line.kind !== 'call' && line.kind !== 'condition') return LINE_HEIGHT
  const fields = fieldsOf(line.kind === 'call' ? line.call.args : line.condition.args, line.takes)
  return LINE_HEIGHT * (1 + Math.ceil(Math.max(0, fields - ARGS_BESIDE) / ARGS_A_ROW))
}

// Every edit reads the sizes of all nodes.
export const heightOfNode = memoizeByObject(
  ({ lines }: GraphNode): number =>
    HEAD_HEIGHT + lines.reduce((sum, line) => sum + heightOfLine(line), 0) + (lines.length > 0 ? FOOT : 0),
)

interface Start {
  readonly line: Line
  readonly y: number
}

/** Lines that a link may start at, with their middles, from the top of the node. */
export const startsOf = memoizeByObject(({ lines }: GraphNode): readonly Start[] => {
  let top = HEAD_HEIGHT
  const starts: Start[] = []
  for (const line of lines) {
    const height = heightOfLine(line)
    if (canStart(line)) starts.push({ line, y: top + LINE_HEIGHT / 2 })
    top += height
  }
  return starts
})

/** Whether a link may start at a line. */
export function canStart(line: Line): boolean {
  return line.kind === 'composite' || line.kind === 'slot' || (line.kind === 'dimension' && line.scalar)
}
