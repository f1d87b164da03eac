import { isEntityName } from './names.ts'
import { OCTAVE, PAN, PERCENT, SPAN, STEPS_PER_BEAT, TEMPO } from './sound-limits.ts'
import { isLine } from './text-rules.ts'
import { MAX_SLOTS } from './world-slots.ts'

/*
 * The presentation of a piece: how its author heard and saw it, published with a connector in the author's words. One
 * spelling everywhere: on chain, in files, in the database and in the APIs. `docs/site/authors-words.md` has the schema.
 */

export interface Presentation {
  /** Steps of the piece. */
  readonly particles: number
  /** Steps a minute. */
  readonly tempo: number
  /** Whether it begins again after its last step. */
  readonly loop: boolean
  readonly world?: WorldWords | undefined
  /** In the order in which they are shown. */
  readonly knobs?: readonly KnobWords[] | undefined
  readonly sound?: SoundWords | undefined
}

/** A version of a World. */
export interface WorldWords {
  /** 64 lower-case hex digits. */
  readonly bundle_hash: string
  /** Slug of the World at its first site: only helps to find it. */
  readonly slug: string
  /** Connectors chosen for its slots. */
  readonly slots?: readonly { readonly connector: string; readonly slot: string }[] | undefined
}

/** A number of the connector that is shown as a slider. */
export interface KnobWords {
  readonly name: string
  /** Text of a `NumberPlace`. */
  readonly at: string
  readonly min: number
  readonly max: number
}

/** Settings of the sound; absent ones are guessed from the values. */
export interface SoundWords {
  /** Half tones of the root above C. */
  readonly root?: number | undefined
  readonly scale?: string | undefined
  /** 4 where absent. */
  readonly steps_per_beat?: number | undefined
  /** Percent by which every second step is late. */
  readonly swing?: number | undefined
  /** Once for each path at most. */
  readonly paths?: readonly PathWords[] | undefined
}

/** Settings of a path. Names of instruments and the like are open: a reader guesses in place of those it does not know. */
export interface PathWords {
  /** Indices of the dimensions that the path leads through: `/song:0/pitch:2` is `0/2`. */
  readonly path: string
  readonly role?: string | undefined
  readonly instrument?: string | undefined
  readonly muted?: boolean | undefined
  readonly mapping?: string | undefined
  readonly scale?: string | undefined
  /** Octave of the lowest note; middle C begins octave 4. */
  readonly octave?: number | undefined
  /** Octaves. */
  readonly span?: number | undefined
  readonly hits?: string | undefined
  /** Percent. */
  readonly level?: number | undefined
  /** From -100, left, to 100, right. */
  readonly pan?: number | undefined
  /** Percent sent to the room. */
  readonly room?: number | undefined
  /** Percent sent to the echo. */
  readonly echo?: number | undefined
}

/** A number of a published connector, or of a connector in its tree, by places that never change. */
export type NumberPlace = {
  /** Name of the connector in the tree; absent for the connector itself. */
  readonly connector?: string | undefined
} & (
  | { readonly kind: 'call'; readonly dimension: number; readonly call: number; readonly index: number }
  | { readonly kind: 'condition'; readonly index: number }
  | { readonly kind: 'start' | 'shift'; readonly position: number }
)

export const MAX_TITLE_LENGTH = 80
export const MAX_KNOB_NAME_LENGTH = 60
export const MAX_SHOWN_KNOBS = 8
export const MAX_PATHS_WITH_WORDS = 64

const UINT32_MAX = 4_294_967_295
const INT32 = { min: -2_147_483_648, max: 2_147_483_647 } as const
const MAX_INDEX = 65_535

const PLACE =
  /^(?:(\w+):)?(?:(start|shift)\/(\d{1,10})|condition\/(\d{1,5})|call\/(\d{1,5})\/(\d{1,5})\/(\d{1,5}))$/

/** @returns undefined for a text that `writeNumberPlace` does not write. */
export function readNumberPlace(text: string): NumberPlace | undefined {
  const match = PLACE.exec(text)
  if (match === null) return undefined
  const [, connector, running, position, argument, ...counted] = match
  const [dimension = 0, call = 0, index = 0] = counted.map(Number)
  const number: NumberPlace =
    running === 'start' || running === 'shift'
      ? { kind: running, position: Number(position) }
      : argument !== undefined
        ? { kind: 'condition', index: Number(argument) }
        : { kind: 'call', dimension, call, index }
  const place = connector === undefined ? number : { ...number, connector }
  const isName = connector === undefined || isEntityName(connector)
  return isName && isWithin(number) && writeNumberPlace(place) === text ? place : undefined
}

function isWithin(place: NumberPlace): boolean {
  switch (place.kind) {
    case 'call':
      return Math.max(place.dimension, place.call, place.index) <= MAX_INDEX
    case 'condition':
      return place.index <= MAX_INDEX
    default:
      return place.position <= UINT32_MAX
  }
}

/**
 * Text of a place: `call/<dimension>/<call>/<argument>`, `condition/<argument>`, `start/<position>` or
 * `shift/<position>`, after `<connector>:` for a connector in the tree.
 */
export function writeNumberPlace(place: NumberPlace): string {
  const connector = place.connector === undefined ? '' : `${place.connector}:`
  switch (place.kind) {
    case 'call':
      return `${connector}call/${place.dimension}/${place.call}/${place.index}`
    case 'condition':
      return `${connector}condition/${place.index}`
    default:
      return `${connector}${place.kind}/${place.position}`
  }
}

/** Returns the place where a value breaks a rule, undefined where it keeps them. */
type Rule = (value: unknown, at: string) => string | undefined

function rule(isKept: (value: unknown) => boolean): Rule {
  return (value, at) => (isKept(value) ? undefined : at)
}

function whole({ min, max }: { readonly min: number; readonly max: number }): Rule {
  return rule((value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
}

function text(isKept: (text: string) => boolean): Rule {
  return rule((value) => typeof value === 'string' && isKept(value))
}

/** Items with a rule, each of them once. */
function list(item: Rule, most: number, key: string): Rule {
  return (value, at) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > most) return at
    for (const [index, each] of value.entries()) {
      const problem = item(each, `${at}[${index}]`)
      if (problem !== undefined) return problem
    }
    return new Set(value.map((each) => each[key])).size === value.length ? undefined : at
  }
}

/** An object with no other fields than these; of optional ones there is at least one where none is required. */
function fields<T>(
  required: Readonly<Record<string, Rule>>,
  optional: Readonly<Record<string, Rule>> = {},
  isKept: (value: T) => boolean = () => true,
): Rule {
  const rules = new Map([...Object.entries(required), ...Object.entries(optional)])
  return (value, at) => {
    if (!isRecord(value)) return at
    const keys = Object.keys(value).filter((key) => value[key] !== undefined)
    const missing = Object.keys(required).find((key) => !keys.includes(key))
    if (missing !== undefined) return `${at}.${missing}`
    for (const key of keys) {
      const problem = rules.get(key)?.(value[key], `${at}.${key}`)
      if (problem !== undefined || !rules.has(key)) return problem ?? `${at}.${key}`
    }
    return keys.length > 0 && isKept(value as T) ? undefined : at
  }
}

const flag = rule((value) => typeof value === 'boolean')
const word = text((value) => /^[a-z][a-z0-9_]{0,31}$/.test(value))
const percent = whole(PERCENT)

const pathRule = fields<PathWords>(
  {
    path: text((value) => value.length <= 200 && /^(?:0|[1-9]\d{0,4})(?:\/(?:0|[1-9]\d{0,4}))*$/.test(value)),
  },
  {
    role: word,
    instrument: word,
    muted: flag,
    mapping: word,
    scale: word,
    octave: whole(OCTAVE),
    span: whole(SPAN),
    hits: word,
    level: percent,
    pan: whole(PAN),
    room: percent,
    echo: percent,
  },
  (value) => Object.keys(value).length > 1,
)

const knobRule = fields<KnobWords>(
  {
    name: text((value) => isLine(value, MAX_KNOB_NAME_LENGTH)),
    at: text((value) => readNumberPlace(value) !== undefined),
    min: whole({ min: INT32.min, max: UINT32_MAX }),
    max: whole({ min: INT32.min, max: UINT32_MAX }),
  },
  {},
  ({ at, min, max }) => {
    const isCondition = readNumberPlace(at)?.kind === 'condition'
    return min < max && (isCondition ? max <= INT32.max : min >= 0)
  },
)

const name = text(isEntityName)

const presentationRule = fields(
  {
    particles: whole({ min: 1, max: 65_536 }),
    tempo: whole({
      min: TEMPO.min * Math.min(...STEPS_PER_BEAT),
      max: TEMPO.max * Math.max(...STEPS_PER_BEAT),
    }),
    loop: flag,
  },
  {
    world: fields(
      {
        bundle_hash: text((value) => /^[0-9a-f]{64}$/.test(value)),
        slug: text((value) => /^[a-z0-9-]{1,80}$/.test(value)),
      },
      { slots: list(fields({ connector: name, slot: name }), MAX_SLOTS, 'slot') },
    ),
    knobs: list(knobRule, MAX_SHOWN_KNOBS, 'at'),
    sound: fields(
      {},
      {
        root: whole({ min: 0, max: 11 }),
        scale: word,
        steps_per_beat: rule((value) => STEPS_PER_BEAT.some((each) => each === value)),
        swing: percent,
        paths: list(pathRule, MAX_PATHS_WITH_WORDS, 'path'),
      },
    ),
  },
)

/** Returns which field breaks a rule of the format, like `present.sound.paths[2].octave`; undefined for none. */
export function presentationProblem(value: unknown): string | undefined {
  return presentationRule(value, 'present')
}

/**
 * A valid presentation in its one canonical form: keys in ascending order, `paths` and `slots` in ascending order of
 * `path` and `slot`.
 */
export function canonicalPresentation(presentation: Presentation): Presentation {
  const { world, sound } = presentation
  const byText = <T>(items: readonly T[], key: (item: T) => string) =>
    items.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
  return withSortedKeys({
    ...presentation,
    ...(world?.slots && { world: { ...world, slots: byText(world.slots, ({ slot }) => slot) } }),
    ...(sound?.paths && { sound: { ...sound, paths: byText(sound.paths, ({ path }) => path) } }),
  })
}

/** Keys are letters, which objects keep in the order of insertion. */
function withSortedKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withSortedKeys) as T
  if (!isRecord(value)) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(
    entries
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, withSortedKeys(each)]),
  ) as T
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
