'use client'

import { Button } from '../../components/button.tsx'
import { saveFile } from '../../components/save-file.ts'
import { type GoodRun, type Stream, stepsOf } from '../preview/run.ts'
import { SoundExports } from '../transport/sound-exports.tsx'

/** Files of a run: its values, and its sound. */
export function Exports({ run }: { run: GoodRun }) {
  const { asked, streams } = run
  const keep = (parts: BlobPart[], type: string, extension: string) =>
    saveFile(new Blob(parts, { type }), fileName(asked.connector_name, extension))
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-ink-soft text-sm">Save as</span>
      <Button onClick={() => keep(csvOf(streams), 'text/csv', 'csv')}>CSV</Button>
      <Button onClick={() => keep(jsonOf(run), 'application/json', 'json')}>JSON</Button>
      <SoundExports run={run} fileName={(extension) => fileName(asked.connector_name, extension)} />
    </div>
  )
}

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

/** A run as JSON: the request, and the particles as in the chain API. In pieces. */
export function jsonOf({ asked, streams }: GoodRun): string[] {
  const head = {
    connector_name: asked.connector_name,
    particles_count: asked.particles_count,
    dynamic_ri: asked.dynamic_ri,
  }
  const pieces = [`${JSON.stringify(head).slice(0, -1)},"particles":[`]
  streams.forEach((stream, index) => {
    pieces.push(`${index === 0 ? '' : ','}\n${JSON.stringify({ path: stream.path, data: stream.data })}`)
  })
  pieces.push(']}\n')
  return pieces
}

/** A name for a file, of letters, digits, `_` and `-` only. */
export function fileName(connector: string, extension: string): string {
  return `${connector.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'particles'}.${extension}`
}
