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
const LOUDNESS = 100
/** Velocities of notes without one: the first of a bar, of a beat, and the others. */
const ACCENTS = { bar: 112, beat: 100, other: 86 } as const
const BEATS_IN_A_BAR = 4
/** Velocity of the smallest value, where values are no MIDI velocities. */
const QUIETEST_NOTE = 40
const LONGEST_NOTE_STEPS = 64

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
  /** -1 left, 1 right. */
  readonly pan: number
}

interface Notes {
  /** MIDI notes, or `REST`. */
  readonly notes: Int8Array
  /** MIDI velocities. */
  readonly levels: Uint8Array
  /** Steps; undefined where each note lasts one. */
  readonly lengths?: Uint8Array
}

/** Whether an instrument plays pitches. */
export function isTuned(instrument: Instrument): boolean {
  return instrument !== 'silent' && instrument !== 'kit' && !(instrument in DRUM_NOTES)
}

/** Returns what a path plays. */
export function partOf(data: readonly number[], voicing: Voicing): Part {
  const { notes, levels, lengths } = isTuned(voicing.instrument)
    ? melody(data, voicing)
    : drums(data, voicing)
  const { level, place } = voicing
  return {
    notes: level === 0 ? new Int8Array(notes.length).fill(REST) : notes,
    // A velocity of 0 ends a note in MIDI.
    levels: level === 100 ? levels : levels.map((each) => Math.max(1, Math.round((each * level) / 100))),
    ...(lengths && { lengths }),
    pan: place / 100,
  }
}

function melody(data: readonly number[], voicing: Voicing): Notes {
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
  { shape: { velocity, length, gate, time }, stepsPerBeat }: Voicing,
): Notes {
  const onsets = time && onsetsOf(time, values.length)
  const notes = onsets === undefined ? values : new Int8Array(values.length).fill(REST)
  const levels = new Uint8Array(values.length)
  const lengths = length || onsets ? new Uint8Array(values.length) : undefined
  const accentAt = accent(stepsPerBeat)
  const velocityAt = velocity && levelOf(velocity)
  for (let step = 0; step < values.length; step++) {
    const index = onsets === undefined ? step : onsets.indices[step]!
    if (index === NO_NOTE) continue
    const level = velocityAt?.(index) ?? accentAt(step)
    const lasts = length === undefined ? (onsets?.untilNext[step] ?? 1) : (length[index] ?? 1)
    const steps = Math.min(LONGEST_NOTE_STEPS, lasts)
    levels[step] = level
    if (lengths) lengths[step] = steps
    notes[step] = level === 0 || steps === 0 || gate?.[index] === 0 ? REST : values[index]!
  }
  return { notes, levels, ...(lengths && { lengths }) }
}

export const NO_NOTE = -1
/** Length of a note that nothing follows. */
const LAST_NOTE_STEPS = 2

interface Onsets {
  /** Index of the value whose note begins at each step, or `NO_NOTE`. */
  readonly indices: Int32Array
  /** Steps from each onset to the next. */
  readonly untilNext: Uint32Array
}

/**
 * The notes that begin at each step, of times in steps from the first. Of several at one step the first counts; those
 * behind the last step are none of the piece.
 *
 * @returns undefined for times that are all the same, which say nothing.
 */
export function onsetsOf(times: readonly number[], steps: number): Onsets | undefined {
  const { min, max } = extentOf(times)
  if (min === max) return undefined
  const indices = new Int32Array(steps).fill(NO_NOTE)
  let next = Number.POSITIVE_INFINITY
  for (const [index, time] of times.entries()) {
    const step = time - min
    if (step >= steps) next = Math.min(next, step)
    else if (indices[step] === NO_NOTE) indices[step] = index
  }
  const untilNext = new Uint32Array(steps)
  for (let step = steps - 1; step >= 0; step--) {
    if (indices[step] === NO_NOTE) continue
    untilNext[step] = Math.min(next - step, LONGEST_NOTE_STEPS)
    if (next === Number.POSITIVE_INFINITY) untilNext[step] = LAST_NOTE_STEPS
    next = step
  }
  return { indices, untilNext }
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
