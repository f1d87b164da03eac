import { extentOf } from './extent.ts'
import { HIGHEST_MIDI_NOTE, isTuned, type Voicing } from './notes.ts'
import { type Role, rolesOf } from './roles.ts'
import {
  type ConnectorSound,
  type Instrument,
  type PathSound,
  type PitchMapping,
  type Scale,
  type StepsPerBeat,
  soundKey,
} from './settings.ts'

/** The values of a path. */
interface Stream {
  readonly path: string
  readonly data: readonly number[]
}

/** Paths that can be chosen and heard; more is noise, in the bar as in the ear. */
export const MAX_PATHS = 64
/** Paths that sound unless the author decides otherwise. */
const SOUNDING_AT_FIRST = 8

export const DEFAULT_TEMPO = 92
const DEFAULT_SCALE: Scale = 'pentatonic'

/** Paths that play, each with its voicing. */
export interface Arrangement {
  readonly bpm: number
  readonly stepsPerBeat: StepsPerBeat
  /** Percent of a step by which every second step is late. */
  readonly swing: number
  readonly loop: boolean
  readonly root: number
  readonly scale: Scale
  readonly steps: number
  readonly paths: readonly ArrangedPath[]
}

export interface ArrangedPath extends Voicing {
  /** `soundKey` of the path: names it in the settings. */
  readonly key: string
  readonly path: string
  readonly data: readonly number[]
  /** Undefined where its values say what it plays. */
  readonly role: Role | undefined
  readonly muted: boolean
  /** As its author chose it; undefined for a place beside the others. */
  readonly pan: number | undefined
  /** Percent sent to the room; undefined for as much as suits the instrument. */
  readonly room: number | undefined
  /** Percent sent to the echo. */
  readonly echo: number
  /** Whether the path has a scale of its own. */
  readonly ownScale: boolean
}

/** The streams of a run with the settings of their connector; what was not chosen is guessed from the values. */
export function arrange(streams: readonly Stream[], sound: ConnectorSound): Arrangement {
  const soundByPath = new Map(sound.paths?.map((each) => [each.path, each]))
  const { scale = DEFAULT_SCALE, root = 0, stepsPerBeat = 4 } = sound
  let tuned = 0
  let hit = 0
  let beside = 0
  const voices = streams.slice(0, MAX_PATHS).map((stream) => {
    const key = soundKey(stream.path)
    const own: Partial<PathSound> = soundByPath.get(key) ?? {}
    return { ...stream, key, own, role: own.role, isVoiced: own.instrument !== undefined }
  })
  const roles = rolesOf(voices)
  const paths = voices.map(({ path, data, key, own }, index): ArrangedPath => {
    const { role, shape = {} } = roles[index] ?? {}
    const isShaping = role !== undefined && role !== 'pitch'
    const character = isShaping ? 'constant' : characterOf(data)
    const melodic =
      role === 'pitch' || character === 'melody' || (index === 0 && character !== 'rhythm' && !isShaping)
    const drum = character === 'kit' ? 'kit' : DRUMS[hit % DRUMS.length]!
    const part = PARTS[tuned % PARTS.length]!
    const guess: Instrument = melodic ? part.instrument : character === 'constant' ? 'silent' : drum
    if (melodic) tuned += 1
    else if (character === 'rhythm') hit += 1
    const instrument = own.instrument ?? guess
    if (instrument !== 'silent') beside += 1
    return {
      key,
      path,
      data,
      role,
      level: own.level ?? 100,
      pan: own.pan,
      place: own.pan ?? (shape.pan ? 0 : placeBeside(instrument, beside - 1)),
      room: own.room,
      echo: own.echo ?? 0,
      shape,
      stepsPerBeat,
      muted: own.muted ?? index >= SOUNDING_AT_FIRST,
      instrument,
      mapping: own.mapping ?? mappingOf(data, role),
      root,
      scale: own.scale ?? scale,
      ownScale: own.scale !== undefined,
      octave: own.octave ?? part.octave,
      span: own.span ?? part.span,
      hits: own.hits ?? (extentOf(data).min === 0 ? 'above_zero' : 'upper_half'),
    }
  })
  return {
    bpm: sound.bpm ?? DEFAULT_TEMPO,
    stepsPerBeat,
    swing: sound.swing ?? 0,
    loop: sound.loop ?? true,
    root,
    scale,
    steps: streams.reduce((most, { data }) => Math.max(most, data.length), 0),
    paths,
  }
}

/** The low and the first are in the middle; the others alternate. @param index Among the paths that have an instrument. */
function placeBeside(instrument: Instrument, index: number): number {
  if (index <= 0 || instrument === 'bass' || instrument === 'kick' || instrument === 'kit') return 0
  return (index % 2 === 0 ? -1 : 1) * (isTuned(instrument) ? 45 : 25)
}

/** Those that come first take the room that an ear follows: a melody, a bass below it, figures above. */
const PARTS: readonly { readonly instrument: Instrument; readonly octave: number; readonly span: number }[] =
  [
    { instrument: 'keys', octave: 4, span: 2 },
    { instrument: 'bass', octave: 2, span: 1 },
    { instrument: 'pluck', octave: 4, span: 2 },
    { instrument: 'bell', octave: 5, span: 1 },
    { instrument: 'pad', octave: 3, span: 1 },
    { instrument: 'lead', octave: 4, span: 1 },
  ]

const DRUMS = ['kick', 'hat', 'snare', 'clap'] as const

type Character = 'constant' | 'rhythm' | 'kit' | 'melody'

/** Characters of data whose setting is changed over and over. */
const characters = new WeakMap<readonly number[], Character>()

/** Character that a path's values suggest: two values are a rhythm, 0 to 4 the pieces of a kit. */
function characterOf(data: readonly number[]): Character {
  const entry = characters.get(data)
  if (entry !== undefined) return entry
  const character = readCharacter(data)
  characters.set(data, character)
  return character
}

function readCharacter(data: readonly number[]): Character {
  const distinctValues = new Set<number>()
  for (const value of data) {
    distinctValues.add(value)
    if (distinctValues.size > 5 || value > 127) return 'melody'
  }
  if (distinctValues.size <= 1) return 'constant'
  if (distinctValues.size === 2) return 'rhythm'
  return Math.max(...distinctValues) <= 4 ? 'kit' : 'melody'
}

/** The smallest and the largest note that values are taken for notes by themselves. */
const NOTES = { min: 21, max: 108 }
const FEW_STEPS = 28

function mappingOf(data: readonly number[], role: Role | undefined): PitchMapping {
  const { min, max } = extentOf(data)
  if (role === 'pitch' && max >= FEW_STEPS && max <= HIGHEST_MIDI_NOTE) return 'notes'
  if (max > min && max < FEW_STEPS) return 'steps'
  return min >= NOTES.min && max <= NOTES.max && max > min ? 'notes' : 'spread'
}
