import '#lib/browser/zod-without-eval.ts'
import * as z from 'zod/mini'
import { INT32, UINT32 } from '#lib/browser/typed-number.ts'
import { ROLES } from '#lib/engine/sound/roles.ts'
import {
  HIT_RULES,
  INSTRUMENTS,
  MAX_PATH_SOUNDS,
  PITCH_MAPPINGS,
  SCALES,
} from '#lib/engine/sound/settings.ts'
import { OCTAVE, PAN, PERCENT, SPAN, STEPS_PER_BEAT, TEMPO } from '#lib/protocol/sound-limits.ts'
import { MAX_KNOB_NAME, MAX_KNOBS, targetKey } from './knob.ts'

/*
 * Schemas of documents from files, the clipboard or other versions of this page: strict and bounded in size.
 */

export const MAX_ENTRIES = 2_000
const MAX_ITEMS = 10_000
const MAX_TEXT = 64 * 1024

const id = z.string().check(z.minLength(1), z.maxLength(64))
/** As typed; longer than any valid name. */
const name = z.string().check(z.maxLength(1_000))
const numberText = z.string().check(z.maxLength(1_000))
const uint32 = z.int().check(z.gte(0), z.lte(UINT32.max))
const coordinate = z.number().check(z.gte(-1e7), z.lte(1e7))

function list<T extends z.ZodMiniType>(item: T, most = MAX_ITEMS) {
  return z.array(item).check(z.maxLength(most))
}

function unique<T>(key: (item: T) => string | number, what: string) {
  return z.refine<readonly T[]>(
    (items) => new Set(items.map(key)).size === items.length,
    `${what} comes twice`,
  )
}

const args = list(numberText)

const call = z.strictObject({ id, name, args })

const dimension = z.strictObject({
  id,
  calls: list(call),
  composite: name,
  bindings: list(z.strictObject({ slot: uint32, name })).check(unique(({ slot }) => slot, 'a slot')),
})

const runningInstance = z.strictObject({
  position: uint32,
  startPoint: numberText,
  transformationShift: numberText,
})

function between({ min, max }: { readonly min: number; readonly max: number }) {
  return z.int().check(z.gte(min), z.lte(max))
}

const pathSound = z.strictObject({
  path: z.string().check(z.maxLength(1_000)),
  role: z.optional(z.enum(ROLES)),
  instrument: z.optional(z.enum(INSTRUMENTS)),
  muted: z.optional(z.boolean()),
  mapping: z.optional(z.enum(PITCH_MAPPINGS)),
  scale: z.optional(z.enum(SCALES)),
  octave: z.optional(between(OCTAVE)),
  span: z.optional(between(SPAN)),
  hits: z.optional(z.enum(HIT_RULES)),
  level: z.optional(between(PERCENT)),
  pan: z.optional(between(PAN)),
  room: z.optional(between(PERCENT)),
  echo: z.optional(between(PERCENT)),
})

const sound = z.strictObject({
  bpm: z.optional(z.number().check(z.gte(TEMPO.min), z.lte(TEMPO.max))),
  stepsPerBeat: z.optional(z.literal(STEPS_PER_BEAT)),
  loop: z.optional(z.boolean()),
  swing: z.optional(between(PERCENT)),
  root: z.optional(between({ min: 0, max: 11 })),
  scale: z.optional(z.enum(SCALES)),
  paths: z.optional(list(pathSound, MAX_PATH_SOUNDS).check(unique(({ path }) => path, 'a path'))),
})

const madeFrom = z.optional(
  z.strictObject({
    kind: z.enum(['connector', 'transformation', 'condition']),
    name: z.string().check(z.minLength(1), z.maxLength(128)),
    owner: z.string().check(z.regex(/^0x[a-f0-9]{40}$/)),
    contentHash: z.string().check(z.regex(/^0x[a-f0-9]{64}$/)),
  }),
)
const index = between({ min: 0, max: MAX_ITEMS })

const knob = z
  .strictObject({
    name: z.string().check(z.maxLength(MAX_KNOB_NAME)),
    target: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('call'), callId: id, index }),
      z.strictObject({ kind: z.literal('condition'), index }),
      z.strictObject({ kind: z.enum(['start', 'shift']), position: uint32 }),
    ]),
    min: between({ min: INT32.min, max: UINT32.max }),
    max: between({ min: INT32.min, max: UINT32.max }),
  })
  .check(z.refine(({ min, max }) => min < max, 'a range ends before it begins'))

const connectorEntry = z.strictObject({
  kind: z.literal('connector'),
  id,
  name,
  dimensions: list(dimension),
  condition: z.nullable(z.strictObject({ name, args })),
  staticRi: list(runningInstance).check(unique(({ position }) => position, 'a position')),
  sound: z.optional(sound),
  madeFrom,
  knobs: z.optional(list(knob, MAX_KNOBS).check(unique(({ target }) => targetKey(target), 'a knob'))),
  steps: z.optional(between({ min: 1, max: 65_536 })),
})

const codeEntry = z.strictObject({
  kind: z.enum(['transformation', 'condition']),
  id,
  name,
  source: z.string().check(z.maxLength(MAX_TEXT)),
  madeFrom,
})

const entry = z.discriminatedUnion('kind', [connectorEntry, codeEntry])

const tab = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('entry'), entryId: id }),
  z.strictObject({
    kind: z.literal('published'),
    entity: z.enum(['connector', 'transformation', 'condition']),
    name,
  }),
])

const worlds = list(
  z.strictObject({
    of: z.string().check(z.maxLength(1_200)),
    world: z.string().check(z.minLength(1), z.maxLength(64)),
    place: z.optional(z.strictObject({ x: coordinate, y: coordinate })),
    slots: z.optional(
      list(z.strictObject({ slot: name, connector: name }), 512).check(unique(({ slot }) => slot, 'a slot')),
    ),
  }),
  500,
)

export const documentSchema = z.strictObject({
  entries: list(entry, MAX_ENTRIES),
  places: list(
    z.strictObject({ entryId: id, node: z.string().check(z.maxLength(4_000)), x: coordinate, y: coordinate }),
    100_000,
  ),
  worlds: z.optional(worlds),
})

export const viewSchema = z.strictObject({
  tabs: list(tab, 200),
  active: z.nullable(z.string().check(z.maxLength(1_200))),
  /** Where they were before they became a part of the document. */
  worlds: z.optional(worlds),
})

export const clipSchema = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('entries'), entries: list(entry, MAX_ENTRIES) }),
  z.strictObject({
    of: z.literal('dimensions'),
    dimensions: list(
      z.extend(dimension, {
        starts: z.optional(list(runningInstance)),
        sounds: z.optional(list(pathSound, MAX_PATH_SOUNDS)),
      }),
    ),
  }),
  z.strictObject({ of: z.literal('calls'), calls: list(call) }),
])

/** Where and what the first few problems are, in words. */
export function schemaProblems(error: { readonly issues: readonly z.core.$ZodIssue[] }): string[] {
  return error.issues.slice(0, 5).map((issue) => {
    const place = issue.path.map(String).join('.')
    return place === '' ? wordsFor(issue) : `${place}: ${wordsFor(issue)}`
  })
}

/** The small build of the library has no messages. */
function wordsFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `unknown field ${issue.keys.map((key) => `“${key}”`).join(', ')}`
    case 'invalid_type':
      return `expected ${issue.expected}`
    case 'too_big':
      return `too large, at most ${issue.maximum}`
    case 'too_small':
      return `too small, at least ${issue.minimum}`
    case 'custom':
      return issue.message
    default:
      return 'not a value that is known here'
  }
}
