import { type Stream, stepsOf } from '#lib/studio/runs/run.ts'

const ROWS_AT_ONCE = 4096

/**
 * Streams as CSV (RFC 4180): a row a step, a column a path. In pieces, as a large run exceeds the maximum
 * string length.
 */
export function csvOf(streams: readonly Stream[]): string[] {
  const pieces = [`${['step', ...streams.map(({ path }) => quoted(path))].join(',')}\r\n`]
  const steps = stepsOf(streams)
  for (let from = 0; from < steps; from += ROWS_AT_ONCE) {
    let rows = ''
    for (let step = from; step < Math.min(steps, from + ROWS_AT_ONCE); step++) {
      rows += step
      for (const { data } of streams) rows += `,${data[step] ?? ''}`
      rows += '\r\n'
    }
    pieces.push(rows)
  }
  return pieces
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
