import { extentOf } from './extent.ts'
import type { Shape } from './roles.ts'
import type { HitRule, Instrument, PitchMapping, Scale, StepsPerBeat } from './settings.ts'

export const REST = -1

/** Notes of General MIDI's channel for drums. */
export const DRUM_NOTES = { kick: 36, snare: 38, clap: 39, hat: 42 } as const

/** Steps of a scale in half tones above its root, inside one octave. */
export const STEPS: Readonly<Record<Scale, readonly number[]>> = {
  pentatonic: [0, 3, 5, 7, 10],
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  blues: [0, 3, 5, 6, 7, 10],
  whole: [0, 2, 4, 6, 8, 10],
  chromatic: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
}

export const HIGHEST_MIDI_NOTE = 127

/** Names of the half tones above C. */
export const PITCH_NAMES = ['C', 'C♯', 'D', 'E♭', 'E', 'F', 'F♯', 'G', 'A♭', 'A', 'B♭', 'B'] as const

/** Name of a MIDI note, with its octave: `C4` for 60. */
export function noteName(note: number): string {
  return `${PITCH_NAMES[note % 12]}${Math.floor(note / 12) - 1}`
}

const LOUDNESS = 100
/** Velocities of notes without one: the first of a bar, of a beat, and the others. */
const ACCENTS = { bar: 112, beat: 100, other: 86 } as const
const BEATS_IN_A_BAR = 4
/** Velocity of the smallest value, where values are no MIDI velocities. */
const QUIETEST_NOTE = 40
const LONGEST_NOTE_STEPS = 64
/** Place of MIDI between left and right. */
const MIDDLE = 64

/** Sound of a path, with nothing left open. */
export interface Voicing {
  readonly instrument: Instrument
  readonly mapping: PitchMapping
  readonly scale: Scale
  /** Half tones of the root above C. */
  readonly root: number
  /** Octave of the lowest note; middle C begins octave 4. */
  readonly octave: number
  /** Octaves. */
  readonly span: number
  readonly hits: HitRule
  /** Loudness in percent. */
  readonly level: number
  /** From -100, left, to 100, right. */
  readonly place: number
  /** For the accents of notes. */
  readonly stepsPerBeat: StepsPerBeat
  /** Values of other paths that shape its notes. */
  readonly shape: Shape
}

/** A note, its loudness and its length for each step, and where they come from. */
export interface Part extends Notes {
  /** -1 left, 1 right; where a path places each note, `pans` has the places. */
  readonly pan: number
  /** Notes that begin together with those of `notes`, in as many rows as the widest chord needs. */
  readonly chords?: readonly Notes[]
}

export interface Notes {
  /** MIDI notes, or `REST`. */
  readonly notes: Int8Array
  /** MIDI velocities. */
  readonly levels: Uint8Array
  /** Steps; undefined where each note lasts one. */
  readonly lengths?: Uint8Array | undefined
  /** -1 left, 1 right; undefined where all notes are at one place. */
  readonly pans?: Float32Array
}

/** All rows of notes of a part: the first, and those of its chords. */
export function rowsOf(part: Notes & Pick<Part, 'chords'>): readonly Notes[] {
  return [part, ...(part.chords ?? [])]
}

/** Whether an instrument plays pitches. */
export function isTuned(instrument: Instrument): boolean {
  return instrument !== 'silent' && instrument !== 'kit' && !(instrument in DRUM_NOTES)
}

/** Returns what a path plays. */
export function partOf(data: readonly number[], voicing: Voicing): Part {
  const { level, place } = voicing
  const { first, chords } = isTuned(voicing.instrument)
    ? melody(data, voicing)
    : { first: drums(data, voicing), chords: [] }
  const atLevel = (row: Notes): Notes => ({
    ...row,
    notes: level === 0 ? new Int8Array(row.notes.length).fill(REST) : row.notes,
    // A velocity of 0 ends a note in MIDI.
    levels:
      level === 100 ? row.levels : row.levels.map((each) => Math.max(1, Math.round((each * level) / 100))),
  })
  return {
    ...atLevel(first),
    pan: place / 100,
    ...(chords.length > 0 && { chords: chords.map(atLevel) }),
  }
}

interface Rows {
  readonly first: Notes
  readonly chords: readonly Notes[]
}

function melody(data: readonly number[], voicing: Voicing): Rows {
  const { mapping, scale, root, octave, span } = voicing
  const notes = new Int8Array(data.length)
  const steps = STEPS[scale]
  const lowest = 12 * (octave + 1) + root
  // The root closes the last octave.
  const degrees = steps.length * span + 1
  const noteOf = (degree: number) => {
    const note = lowest + 12 * Math.floor(degree / steps.length) + steps[degree % steps.length]!
    return note <= HIGHEST_MIDI_NOTE ? note : REST
  }
  const { min, max } = extentOf(data)
  for (let step = 0; step < data.length; step++) {
    const value = data[step]!
    if (mapping === 'notes') notes[step] = value <= HIGHEST_MIDI_NOTE ? value : REST
    else if (mapping === 'steps') notes[step] = noteOf(value % (degrees - 1))
    else if (max === min) notes[step] = noteOf(Math.floor(degrees / 2))
    else notes[step] = noteOf(Math.round(((value - min) / (max - min)) * (degrees - 1)))
  }
  return shaped(notes, voicing)
}

/** Gives notes their loudness and length; what is not heard becomes a rest. */
function shaped(
  values: Int8Array,
  { shape: { velocity, length, gate, time, pan }, stepsPerBeat, place }: Voicing,
): Rows {
  const onsets = time && onsetsOf(time, values.length)
  const accentAt = accent(stepsPerBeat)
  const velocityAt = velocity && levelOf(velocity)
  const panAt = pan && placeOf(pan)
  const row = (indices: Int32Array | undefined, together: readonly Notes[] = []): Notes => {
    const notes = new Int8Array(values.length).fill(REST)
    const levels = new Uint8Array(values.length)
    const lengths = length || onsets ? new Uint8Array(values.length) : undefined
    const pans = panAt && new Float32Array(values.length)
    for (let step = 0; step < values.length; step++) {
      const index = indices === undefined ? step : indices[step]!
      if (index === NO_NOTE) continue
      const level = velocityAt?.(index) ?? accentAt(step)
      const lasts = length === undefined ? (onsets?.untilNext[step] ?? 1) : (length[index] ?? 1)
      const steps = Math.min(LONGEST_NOTE_STEPS, lasts)
      levels[step] = level
      if (lengths) lengths[step] = steps
      if (pans) pans[step] = Math.max(-1, Math.min(1, place / 100 + panAt(index)))
      const isHeard = level > 0 && steps > 0 && gate?.[index] !== 0
      // The same note twice would be one that is twice as loud.
      const value = values[index]!
      if (isHeard && !together.some((other) => other.notes[step] === value)) notes[step] = value
    }
    return { notes, levels, ...(lengths && { lengths }), ...(pans && { pans }) }
  }
  const first = row(onsets?.indices)
  const chords: Notes[] = []
  for (const indices of onsets?.chords ?? []) chords.push(row(indices, [first, ...chords]))
  return { first, chords }
}

export const NO_NOTE = -1
/** Most notes of a voice that begin at one step. */
const WIDEST_CHORD = 8
/** Length of a note that nothing follows. */
const LAST_NOTE_STEPS = 2

interface Onsets {
  /** Index of the value whose note begins at each step, or `NO_NOTE`; of several the first. */
  readonly indices: Int32Array
  /** Indices of the values whose notes begin together with it, in further rows. */
  readonly chords: readonly Int32Array[]
  /** Steps from each onset to the next. */
  readonly untilNext: Uint32Array
}

/**
 * The notes that begin at each step, of times in steps from the first. Those at one step are a chord, of which the first
 * `WIDEST_CHORD` count; those behind the last step are none of the piece.
 *
 * @returns undefined for times that are all the same, which say nothing.
 */
export function onsetsOf(times: readonly number[], steps: number): Onsets | undefined {
  const { min, max } = extentOf(times)
  if (min === max) return undefined
  const indices = new Int32Array(steps).fill(NO_NOTE)
  const rows = [indices]
  const together = new Uint8Array(steps)
  let next = Number.POSITIVE_INFINITY
  for (let index = 0; index < times.length; index++) {
    const step = times[index]! - min
    if (step >= steps) {
      next = Math.min(next, step)
      continue
    }
    const row = together[step]!
    if (row === WIDEST_CHORD) continue
    if (row === rows.length) rows.push(new Int32Array(steps).fill(NO_NOTE))
    rows[row]![step] = index
    together[step] = row + 1
  }
  const untilNext = new Uint32Array(steps)
  for (let step = steps - 1; step >= 0; step--) {
    if (indices[step] === NO_NOTE) continue
    untilNext[step] = Math.min(next - step, LONGEST_NOTE_STEPS)
    if (next === Number.POSITIVE_INFINITY) untilNext[step] = LAST_NOTE_STEPS
    next = step
  }
  return { indices, chords: rows.slice(1), untilNext }
}

function accent(stepsPerBeat: StepsPerBeat): (step: number) => number {
  return (step) =>
    step % (BEATS_IN_A_BAR * stepsPerBeat) === 0
      ? ACCENTS.bar
      : step % stepsPerBeat === 0
        ? ACCENTS.beat
        : ACCENTS.other
}

/** Velocities as they are; other values from quiet to loud. */
function levelOf(values: readonly number[]): (step: number) => number {
  const { min, max } = extentOf(values)
  if (max <= HIGHEST_MIDI_NOTE) return (step) => values[step] ?? LOUDNESS
  const share = (value: number) => (value - min) / Math.max(1, max - min)
  return (step) =>
    Math.round(QUIETEST_NOTE + (HIGHEST_MIDI_NOTE - QUIETEST_NOTE) * share(values[step] ?? max))
}

/** Places as MIDI has them, 64 in the middle; other values from left to right. */
function placeOf(values: readonly number[]): (index: number) => number {
  const { min, max } = extentOf(values)
  if (max <= HIGHEST_MIDI_NOTE) return (index) => ((values[index] ?? MIDDLE) - MIDDLE) / MIDDLE
  const middle = (min + max) / 2
  return (index) => (max === min ? 0 : ((values[index] ?? middle) - middle) / (max - middle))
}

/** The pieces of a kit, from the value 1 on. */
const KIT = [DRUM_NOTES.kick, DRUM_NOTES.snare, DRUM_NOTES.hat, DRUM_NOTES.clap]
const QUIETEST_HIT = 60

function drums(data: readonly number[], { instrument, hits }: Voicing): Notes {
  const notes = new Int8Array(data.length).fill(REST)
  const levels = new Uint8Array(data.length)
  const { min, max } = extentOf(data)
  const note = instrument in DRUM_NOTES ? DRUM_NOTES[instrument as keyof typeof DRUM_NOTES] : undefined
  for (let step = 0; step < data.length; step++) {
    const value = data[step]!
    if (instrument === 'kit') {
      if (value === 0) continue
      notes[step] = KIT[(value - 1) % KIT.length]!
      levels[step] = LOUDNESS
      continue
    }
    const hit =
      hits === 'above_zero'
        ? value > 0
        : hits === 'upper_half'
          ? min === max || value > (min + max) / 2
          : step === 0 || value !== data[step - 1]
    if (note === undefined || !hit) continue
    notes[step] = note
    const share = hits === 'change' || max === min ? 1 : (value - min) / (max - min)
    levels[step] = Math.round(QUIETEST_HIT + (HIGHEST_MIDI_NOTE - QUIETEST_HIT) * share)
  }
  return { notes, levels }
}
