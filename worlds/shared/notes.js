/* A run as voices of notes: what the page sounds where it has a transport, else what the numbers say. */
import { extentOf, isCount, stepsOf, streamNamed } from './streams.js'

const MOST_VOICES = 6
/** Beyond this many steps from the first note nothing is shown. */
const LONGEST = 4096
const PENTATONIC = [0, 2, 4, 7, 9]
const LOWEST = 48

/**
 * @param voices Of the page's transport.
 * @param bindings The connector of each slot.
 * @returns {{ voices: { pitch: number, start: number, length: number, velocity: number }[][], end: number }} In steps,
 *   each voice in the order of its notes.
 */
export function voicesOf(streams, voices, bindings = []) {
  const used = streams.filter(({ data }) => data.length > 0)
  const all = voices ? voices.map(heard).filter((notes) => notes.length > 0) : read(used, bindings)
  const last = all.flat().reduce((end, { start, length }) => Math.max(end, start + length), 0)
  return { voices: all, end: voices ? stepsOf(used) : last }
}

/** General MIDI's drums are low notes here, which a piano or a bell would growl. */
function heard({ instrument, pitches, velocities, lengths }) {
  const isDrum = ['kick', 'snare', 'clap', 'hat', 'kit'].includes(instrument)
  return pitches.flatMap((pitch, start) =>
    pitch < 0 || start > LONGEST
      ? []
      : [
          {
            pitch: isDrum ? pitch + 24 : pitch,
            start,
            length: Math.max(1, lengths[start] ?? 1),
            velocity: velocities[start] || 90,
          },
        ],
  )
}

function read(streams, bindings) {
  const named = (name) => streamNamed(streams, name, bindings)?.data
  const pitches = named('pitch')
  if (pitches)
    return [
      single(pitches, { times: named('time'), lengths: named('duration'), velocities: named('velocity') }),
    ]
  const melodic = streams.filter(({ data }) => !isCount(data) && new Set(data).size > 1)
  return (melodic.length > 0 ? melodic : streams.slice(0, 1)).slice(0, MOST_VOICES).map(({ data }) => {
    const pitchAt = tuningOf(data)
    return data.slice(0, LONGEST).map((value, start) => ({
      pitch: pitchAt(value),
      start,
      length: 1,
      velocity: start % 4 === 0 ? 100 : 82,
    }))
  })
}

/** Numbers in the range of notes are notes; others are a scale of five, over as many octaves as they need. */
function tuningOf(data) {
  const [low, high] = extentOf(data)
  if (low >= 21 && high <= 108) return (value) => value
  const reach = Math.min(14, Math.max(1, high - low))
  return (value) => {
    const degree = high > low ? Math.round(((value - low) / (high - low)) * reach) : 5
    return LOWEST + 12 + PENTATONIC[degree % 5] + 12 * Math.floor(degree / 5)
  }
}

function single(pitches, { times, lengths, velocities }) {
  const starts = pitches.map((_, step) => times?.[step] ?? step)
  const first = starts.reduce((least, start) => Math.min(least, start), Number.POSITIVE_INFINITY)
  const sorted = [...new Set(starts)].sort((a, b) => a - b)
  const next = new Map(sorted.map((start, place) => [start, sorted[place + 1] ?? start + 2]))
  const pitchAt = tuningOf(pitches)
  return pitches
    .flatMap((value, step) => {
      const start = starts[step] - first
      if (start > LONGEST) return []
      const asked = lengths?.[step] ?? next.get(starts[step]) - starts[step]
      const velocity = velocities ? Math.max(8, (velocities[step] ?? 90) % 128) : step % 4 === 0 ? 100 : 84
      return [{ pitch: pitchAt(value), start, length: Math.min(64, Math.max(1, asked)), velocity }]
    })
    .sort((a, b) => a.start - b.start)
}

/** For each step the notes that begin there. */
export function byStep(voices) {
  const starts = new Map()
  for (const [voice, notes] of voices.entries()) {
    for (const note of notes) {
      const there = starts.get(note.start)
      if (there) there.push({ ...note, voice })
      else starts.set(note.start, [{ ...note, voice }])
    }
  }
  return starts
}
