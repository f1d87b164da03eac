/* What a run says as notes. Time is counted in sixteenths from the first note on. */

/** Farther from the first note than this nothing is drawn: some connectors leap over half of all numbers. */
const LONGEST = 4096

/**
 * @param bindings The connector of each slot. A connector chosen by the user need not carry its name in its paths.
 * @returns {{ notes: { pitch: number, start: number, length: number, velocity: number }[], left: number }}
 */
export function notesOf(streams, bindings = []) {
  const data = (name) => {
    const ends = (all) => all.find(({ path }) => path.endsWith(`/${name}:0`))
    const bound = bindings.find(({ slot }) => slot === name)?.executeOutput ?? []
    return (ends(bound) ?? bound[0] ?? ends(streams))?.data
  }
  const pitches = data('pitch') ?? streams[0]?.data ?? []
  const times = data('time')
  const lengths = data('duration')
  const velocities = data('velocity')
  const starts = pitches.map((_, step) => times?.[step] ?? step)
  const first = starts.reduce((least, start) => Math.min(least, start), Number.POSITIVE_INFINITY)
  const sorted = [...new Set(starts)].sort((a, b) => a - b)
  const next = new Map(sorted.map((start, place) => [start, sorted[place + 1] ?? start + 2]))
  const notes = []
  for (const [step, pitch] of pitches.entries()) {
    const start = starts[step] - first
    if (start > LONGEST) continue
    const asked = lengths ? lengths[step] : next.get(starts[step]) - starts[step]
    notes.push({
      pitch: pitch % 128,
      start,
      length: Math.min(64, Math.max(1, asked)),
      velocity: velocities ? Math.max(8, velocities[step] % 128) : 90,
    })
  }
  notes.sort((a, b) => a.start - b.start)
  return { notes, left: pitches.length - notes.length }
}

export function endOf(notes) {
  return notes.reduce((end, { start, length }) => Math.max(end, start + length), 0)
}
