import type { Part } from '#lib/engine/sound/notes.ts'
import type { Instrument } from '#lib/engine/sound/settings.ts'

/** Everything that sounds, as the audio thread plays it. */
export interface Pattern {
  /** Higher for each newer one; reported with every step. */
  readonly id: number
  readonly steps: number
  readonly stepSeconds: number
  /** Part of a step by which every second step is late; none by default. */
  readonly swing?: number
  readonly loop: boolean
  /** Gain of every note; less where many paths sound together. */
  readonly gain: number
  readonly tracks: readonly Track[]
}

/** One path: for each step its notes, where percussion has those of General MIDI's drums. */
export interface Track extends Part {
  /** A track of the next pattern with the same key goes on with this one's note. */
  readonly key: string
  readonly instrument: Exclude<Instrument, 'silent'>
  /** Share sent to the room; by default as much as suits the instrument. */
  readonly room?: number
  /** Share sent to the echo; none by default. */
  readonly echo?: number
}

/**
 * To the audio thread. Patterns, and positions while it plays, take effect at the next step. A pattern that was edited
 * before the present step (`editedAt`, seconds of the audio clock) and was still being generated when that began, changes
 * it as long as it has hardly begun.
 */
export type ToSynth =
  | { readonly kind: 'pattern'; readonly pattern: Pattern; readonly editedAt?: number }
  | { readonly kind: 'play'; readonly from: number }
  | { readonly kind: 'stop' }
  | { readonly kind: 'seek'; readonly step: number }

/** From the audio thread: a step has begun at `atSeconds` of the audio clock, or the last one is over. */
export type FromSynth =
  | {
      readonly kind: 'step'
      readonly step: number
      readonly atSeconds: number
      readonly pattern: number
      readonly stepSeconds: number
    }
  | { readonly kind: 'end' }
