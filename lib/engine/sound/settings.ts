import type { STEPS_PER_BEAT } from '#lib/protocol/sound-limits.ts'
import type { Role } from './roles.ts'

/*
 * How a connector sounds, as its author chose it: saved with the document, so that undo, versions, links and remixes
 * carry it. What was not chosen is absent, and guessed from the values.
 */

export const INSTRUMENTS = [
  ...(['keys', 'pluck', 'bass', 'lead', 'bell', 'pad'] as const),
  ...(['kit', 'kick', 'snare', 'hat', 'clap', 'silent'] as const),
] as const
export type Instrument = (typeof INSTRUMENTS)[number]

/**
 * How values become pitches.
 *
 * - `spread`: the smallest value is the lowest note of the range, the largest the highest
 * - `steps`: the value counts steps of the scale, and begins again after the range
 * - `notes`: the value is a MIDI note; what is above 127 is a rest
 */
export const PITCH_MAPPINGS = ['spread', 'steps', 'notes'] as const
export type PitchMapping = (typeof PITCH_MAPPINGS)[number]

/** When a percussive path is hit: at values above 0, in the upper half of its values, or where the value changes. */
export const HIT_RULES = ['above_zero', 'upper_half', 'change'] as const
export type HitRule = (typeof HIT_RULES)[number]

export const SCALES = ['pentatonic', 'major', 'minor', 'dorian', 'blues', 'whole', 'chromatic'] as const
export type Scale = (typeof SCALES)[number]

export type StepsPerBeat = (typeof STEPS_PER_BEAT)[number]

/** Paths of one connector with settings of their own. */
export const MAX_PATH_SOUNDS = 256

export interface ConnectorSound {
  /** Beats a minute. */
  readonly bpm?: number | undefined
  readonly stepsPerBeat?: StepsPerBeat | undefined
  /** Percent of a step by which every second step is late. */
  readonly swing?: number | undefined
  /** False when it ends after its last step. */
  readonly loop?: boolean | undefined
  /** Half tones of the root above C. */
  readonly root?: number | undefined
  readonly scale?: Scale | undefined
  /** Once for each path at most. */
  readonly paths?: readonly PathSound[] | undefined
}

export interface PathSound {
  /** `soundKey` of the path. */
  readonly path: string
  /** Its purpose; by default by its name. */
  readonly role?: Role | undefined
  readonly instrument?: Instrument | undefined
  readonly muted?: boolean | undefined
  readonly mapping?: PitchMapping | undefined
  /** Absent for that of the connector. */
  readonly scale?: Scale | undefined
  readonly octave?: number | undefined
  readonly span?: number | undefined
  readonly hits?: HitRule | undefined
  /** Loudness in percent. */
  readonly level?: number | undefined
  /** From -100, left, to 100, right. */
  readonly pan?: number | undefined
  /** Percent sent to the room; by default as much as suits the instrument. */
  readonly room?: number | undefined
  /** Percent sent to the echo; none by default. */
  readonly echo?: number | undefined
}

/** The indices of the dimensions that a path leads through: `/song:0/pitch:2` is `0/2`, whatever the names become. */
export function soundKey(path: string): string {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.slice(part.lastIndexOf(':') + 1))
    .join('/')
}

/** Changes the settings of a path; one that becomes undefined is guessed again. */
export function withPathSound(
  sound: ConnectorSound,
  path: string,
  change: Omit<PathSound, 'path'>,
): ConnectorSound {
  const paths = sound.paths ?? []
  const before = paths.find((other) => other.path === path)
  if (before === undefined && paths.length >= MAX_PATH_SOUNDS) return sound
  const settings = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined)
  const after: PathSound = { ...Object.fromEntries(settings), path }
  return {
    ...sound,
    paths: before ? paths.map((other) => (other === before ? after : other)) : [...paths, after],
  }
}
