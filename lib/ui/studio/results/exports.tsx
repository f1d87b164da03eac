'use client'

import { Button } from '../../button.tsx'
import type { Hearing } from './listen.tsx'
import { notesOf } from './midi/notes.ts'
import { writeMidi } from './midi/write-midi.ts'
import { csvOf, fileName, jsonOf } from './model/export-text.ts'
import type { GoodRun } from './model/run.ts'

/** Voices of a MIDI file; more than any program shows. */
const MOST_VOICES = 64

/** Files of a run: all its values, or its paths as voices. */
export function Exports({ run, hearing }: { run: GoodRun; hearing: Hearing }) {
  const { asked, streams } = run
  const keep = (parts: BlobPart[], type: string, extension: string) =>
    saveFile(new Blob(parts, { type }), fileName(asked.connector_name, extension))
  const midi = () => {
    const tracks = streams
      .slice(0, MOST_VOICES)
      .map(({ path, data }) => ({ name: path, notes: notesOf(data, hearing.mapping) }))
    keep([writeMidi(tracks, hearing.stepsPerSecond)], 'audio/midi', 'mid')
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-ink-soft text-sm">Save as</span>
      <Button onClick={() => keep(csvOf(streams), 'text/csv', 'csv')}>CSV</Button>
      <Button onClick={() => keep(jsonOf(run), 'application/json', 'json')}>JSON</Button>
      <Button
        onClick={midi}
        title={streams.length > MOST_VOICES ? `The first ${MOST_VOICES} paths` : 'Every path a voice'}
      >
        MIDI
      </Button>
    </div>
  )
}

function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // Some browsers read the file only after the click is over.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
