import { statisticsOf } from '../model/statistics.ts'

/** Steps of a scale in half tones above its root, inside one octave. */
const SCALES = {
  pentatonic: [0, 3, 5, 7, 10],
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  chromatic: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
} as const

export type Scale = keyof typeof SCALES

/**
 * How values become notes.
 *
 * - `direct`: the value is the MIDI note; what is above 127 is a rest
 * - `wrap`: the value counts steps of a scale, beginning again after three octaves
 * - `spread`: the smallest value is the lowest step of three octaves, the largest the highest
 */
export type NoteMapping =
  | { readonly kind: 'direct' }
  | { readonly kind: 'wrap' | 'spread'; readonly scale: Scale }

const LOWEST_NOTE = 48
const OCTAVES = 3
const HIGHEST_MIDI_NOTE = 127

/** A MIDI note a step, 0..127, or undefined for a rest. */
export function notesOf(data: readonly number[], mapping: NoteMapping): (number | undefined)[] {
  if (mapping.kind === 'direct') {
    return data.map((value) => (value <= HIGHEST_MIDI_NOTE ? value : undefined))
  }
  const scale = SCALES[mapping.scale]
  // The root closes the last octave.
  const degrees = scale.length * OCTAVES + 1
  const noteOf = (degree: number) =>
    LOWEST_NOTE + 12 * Math.floor(degree / scale.length) + scale[degree % scale.length]!
  if (mapping.kind === 'wrap') return data.map((value) => noteOf(value % (degrees - 1)))
  const { min, max } = statisticsOf(data)
  const middle = Math.floor(degrees / 2)
  return data.map((value) =>
    noteOf(max === min ? middle : Math.round(((value - min) / (max - min)) * (degrees - 1))),
  )
}

/** In hertz, equal temperament with A4 (note 69) at 440. */
export function frequencyOf(note: number): number {
  return 440 * 2 ** ((note - 69) / 12)
}
