import { extentOf } from './extent.ts'
import type { HitRule, Instrument, PitchMapping, Scale } from './settings.ts'

export const REST = -1

/** Notes of General MIDI's channel for drums. */
export const DRUM_NOTES = { kick: 36, snare: 38, clap: 39, hat: 42 } as const

/** Steps of a scale in half tones above its root, inside one octave. */
const STEPS: Readonly<Record<Scale, readonly number[]>> = {
  pentatonic: [0, 3, 5, 7, 10],
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  dorian: [0, 2, 3, 5, 7, 9, 10],
  blues: [0, 3, 5, 6, 7, 10],
  whole: [0, 2, 4, 6, 8, 10],
  chromatic: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
}

const HIGHEST_MIDI_NOTE = 127
const LOUDNESS = 100

/** How a path sounds, with nothing left open. */
export interface Voicing {
  readonly instrument: Instrument
  readonly mapping: PitchMapping
  readonly scale: Scale
  /** Half tones of the root above C. */
  readonly root: number
  /** Of the lowest note; middle C begins octave 4. */
  readonly octave: number
  /** Octaves. */
  readonly span: number
  readonly hits: HitRule
}

/** A note and a loudness a step. */
export interface Part {
  readonly notes: Int8Array
  readonly levels: Uint8Array
}

/** Whether an instrument plays pitches. */
export function isTuned(instrument: Instrument): boolean {
  return instrument !== 'silent' && instrument !== 'kit' && !(instrument in DRUM_NOTES)
}

/** Returns what a path plays. */
export function partOf(data: readonly number[], voicing: Voicing): Part {
  return isTuned(voicing.instrument) ? melody(data, voicing) : drums(data, voicing)
}

function melody(data: readonly number[], { mapping, scale, root, octave, span }: Voicing): Part {
  const notes = new Int8Array(data.length)
  const levels = new Uint8Array(data.length).fill(LOUDNESS)
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
  return { notes, levels }
}

/** The pieces of a kit, from the value 1 on. */
const KIT = [DRUM_NOTES.kick, DRUM_NOTES.snare, DRUM_NOTES.hat, DRUM_NOTES.clap]
const QUIETEST_HIT = 60

function drums(data: readonly number[], { instrument, hits }: Voicing): Part {
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
