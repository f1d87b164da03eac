/* What a run says as a loop of notes. Time is counted in sixteenths from the first note on. */

/** Farther from the first note than this nothing is played. */
const LONGEST = 4096
/** Heard well on small speakers, and not shrill. */
const [LOWEST, HIGHEST] = [28, 100]

/**
 * @param bindings The connector of each slot. A connector chosen by the user need not carry its name in its paths.
 * @returns {{ notes: { pitch: number, start: number, length: number, velocity: number }[], end: number }} `end` is a
 * whole number of beats.
 */
export function loopOf(streams, bindings = []) {
  const named = (all, name) => all.find(({ path }) => path.endsWith(`/${name}:0`))?.data
  const data = (name) => {
    const bound = bindings.find(({ slot }) => slot === name)?.executeOutput ?? []
    return named(bound, name) ?? bound[0]?.data ?? named(streams, name)
  }
  const pitches = data('pitch') ?? streams[0]?.data ?? []
  const [times, lengths, velocities] = ['time', 'duration', 'velocity'].map(data)
  const starts = pitches.map((_, step) => times?.[step] ?? step)
  const first = starts.reduce((least, start) => Math.min(least, start), Number.POSITIVE_INFINITY)
  const notes = pitches.flatMap((pitch, step) => {
    const start = starts[step] - first
    if (start > LONGEST) return []
    const length = Math.min(64, Math.max(1, lengths?.[step] ?? 1))
    return {
      pitch: folded(pitch % 128),
      start,
      length,
      velocity: Math.max(8, (velocities?.[step] ?? 96) % 128),
    }
  })
  notes.sort((a, b) => a.start - b.start)
  const last = notes.reduce((end, { start, length }) => Math.max(end, start + length), 0)
  return { notes, end: Math.ceil(last / 4) * 4 }
}

/** Brought into range by octaves. */
function folded(pitch) {
  if (pitch < LOWEST) return pitch + Math.ceil((LOWEST - pitch) / 12) * 12
  if (pitch > HIGHEST) return pitch - Math.ceil((pitch - HIGHEST) / 12) * 12
  return pitch
}
