/* What a run says as notes. Time is counted in sixteenths from the first note on. */
import { voicesOf } from './shared/notes.js'

/** Farther from the first note than this nothing is engraved: 128 measures. */
const LONGEST = 2048
/** Two octaves below middle C to three above: what two staves show without a ladder of ledger lines. */
const [LOWEST, HIGHEST] = [36, 96]

/**
 * @param bindings The connector of each slot. A connector chosen by the user need not carry its name in its paths.
 * @returns {{ notes: { pitch: number, start: number, length: number, velocity: number }[], left: number }}
 */
export function notesOf(streams, bindings = []) {
  const named = (all, name) => all.find(({ path }) => path.endsWith(`/${name}:0`))?.data
  const data = (name) => {
    const bound = bindings.find(({ slot }) => slot === name)?.executeOutput ?? []
    return named(bound, name) ?? bound[0]?.data ?? named(streams, name)
  }
  const pitches = data('pitch') ?? streams[0]?.data ?? []
  const [times, lengths, velocities] = ['time', 'duration', 'velocity'].map(data)
  const starts = pitches.map((_, step) => times?.[step] ?? step)
  const first = starts.reduce((least, start) => Math.min(least, start), Number.POSITIVE_INFINITY)
  const sorted = [...new Set(starts)].sort((a, b) => a - b)
  const next = new Map(sorted.map((start, place) => [start, sorted[place + 1] ?? start + 4]))
  const notes = pitches.flatMap((pitch, step) => {
    const start = starts[step] - first
    if (start >= LONGEST) return []
    const length = Math.min(64, Math.max(1, lengths?.[step] ?? next.get(starts[step]) - starts[step]))
    return { pitch: folded(pitch % 128), start, length, velocity: velocities?.[step] % 128 || 80 }
  })
  notes.sort((a, b) => a.start - b.start || a.pitch - b.pitch)
  return { notes, left: pitches.length - notes.length }
}

/** Brought into range by octaves. */
function folded(pitch) {
  if (pitch < LOWEST) return pitch + Math.ceil((LOWEST - pitch) / 12) * 12
  if (pitch > HIGHEST) return pitch - Math.ceil((pitch - HIGHEST) / 12) * 12
  return pitch
}

/** What a page sounds, as notes. */
export function heardNotes(streams, voices) {
  const all = voicesOf(streams, voices).voices.flat()
  const notes = all
    .filter(({ start }) => start < LONGEST)
    .map((note) => ({ ...note, pitch: folded(note.pitch), length: Math.min(64, note.length) }))
    .sort((a, b) => a.start - b.start || a.pitch - b.pitch)
  return { notes, left: all.length - notes.length }
}
