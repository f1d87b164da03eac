import * as s from '#lib/browser/schema.ts'
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

const id = s.text({ min: 1, max: 64 })
/** As typed; longer than any valid name. */
const name = s.text({ max: 1_000 })
const numberText = s.text({ max: 1_000 })
const uint32 = s.whole(UINT32)
const coordinate = s.number({ min: -1e7, max: 1e7 })

function list<T>(item: s.Schema<T>, most = MAX_ITEMS) {
  return s.list(item, most)
}

function unique<T>(of: s.Schema<readonly T[]>, key: (item: T) => string | number, what: string) {
  return s.refine(of, (items) => new Set(items.map(key)).size === items.length, `${what} comes twice`)
}

const args = list(numberText)

const call = s.strictObject({ id, name, args })

const dimensionFields = {
  id,
  calls: list(call),
  composite: name,
  bindings: unique(list(s.strictObject({ slot: uint32, name })), ({ slot }) => slot, 'a slot'),
}
const dimension = s.strictObject(dimensionFields)

const runningInstance = s.strictObject({
  position: uint32,
  startPoint: numberText,
  transformationShift: numberText,
})

const pathSound = s.strictObject({
  path: s.text({ max: 1_000 }),
  role: s.optional(s.oneOf(...ROLES)),
  instrument: s.optional(s.oneOf(...INSTRUMENTS)),
  muted: s.optional(s.truth),
  mapping: s.optional(s.oneOf(...PITCH_MAPPINGS)),
  scale: s.optional(s.oneOf(...SCALES)),
  octave: s.optional(s.whole(OCTAVE)),
  span: s.optional(s.whole(SPAN)),
  hits: s.optional(s.oneOf(...HIT_RULES)),
  level: s.optional(s.whole(PERCENT)),
  pan: s.optional(s.whole(PAN)),
  room: s.optional(s.whole(PERCENT)),
  echo: s.optional(s.whole(PERCENT)),
})

const sound = s.strictObject({
  bpm: s.optional(s.number(TEMPO)),
  stepsPerBeat: s.optional(s.oneOf(...STEPS_PER_BEAT)),
  loop: s.optional(s.truth),
  swing: s.optional(s.whole(PERCENT)),
  root: s.optional(s.whole({ min: 0, max: 11 })),
  scale: s.optional(s.oneOf(...SCALES)),
  paths: s.optional(unique(list(pathSound, MAX_PATH_SOUNDS), ({ path }) => path, 'a path')),
})

const madeFrom = s.optional(
  s.strictObject({
    kind: s.oneOf('connector', 'transformation', 'condition'),
    name: s.text({ min: 1, max: 128 }),
    owner: s.text({}, /^0x[a-f0-9]{40}$/),
    contentHash: s.text({}, /^0x[a-f0-9]{64}$/),
  }),
)
const index = s.whole({ min: 0, max: MAX_ITEMS })

const knob = s.refine(
  s.strictObject({
    name: s.text({ max: MAX_KNOB_NAME }),
    target: s.union(
      'kind',
      s.strictObject({ kind: s.oneOf('call'), callId: id, index }),
      s.strictObject({ kind: s.oneOf('condition'), index }),
      s.strictObject({ kind: s.oneOf('start', 'shift'), position: uint32 }),
    ),
    min: s.whole({ min: INT32.min, max: UINT32.max }),
    max: s.whole({ min: INT32.min, max: UINT32.max }),
  }),
  ({ min, max }) => min < max,
  'a range ends before it begins',
)

const connectorEntry = s.strictObject({
  kind: s.oneOf('connector'),
  id,
  name,
  dimensions: list(dimension),
  condition: s.nullable(s.strictObject({ name, args })),
  staticRi: unique(list(runningInstance), ({ position }) => position, 'a position'),
  sound: s.optional(sound),
  madeFrom,
  knobs: s.optional(unique(list(knob, MAX_KNOBS), ({ target }) => targetKey(target), 'a knob')),
  steps: s.optional(s.whole({ min: 1, max: 65_536 })),
})

const codeEntry = s.strictObject({
  kind: s.oneOf('transformation', 'condition'),
  id,
  name,
  source: s.text({ max: MAX_TEXT }),
  madeFrom,
})

const entry = s.union('kind', connectorEntry, codeEntry)

const tab = s.union(
  'kind',
  s.strictObject({ kind: s.oneOf('entry'), entryId: id }),
  s.strictObject({
    kind: s.oneOf('published'),
    entity: s.oneOf('connector', 'transformation', 'condition'),
    name,
  }),
)

const worlds = list(
  s.strictObject({
    of: s.text({ max: 1_200 }),
    world: s.text({ min: 1, max: 64 }),
    place: s.optional(s.strictObject({ x: coordinate, y: coordinate })),
    slots: s.optional(
      unique(list(s.strictObject({ slot: name, connector: name }), 512), ({ slot }) => slot, 'a slot'),
    ),
  }),
  500,
)

export const documentSchema = s.strictObject({
  entries: list(entry, MAX_ENTRIES),
  places: list(
    s.strictObject({ entryId: id, node: s.text({ max: 4_000 }), x: coordinate, y: coordinate }),
    100_000,
  ),
  worlds: s.optional(worlds),
})

export const viewSchema = s.strictObject({
  tabs: list(tab, 200),
  active: s.nullable(s.text({ max: 1_200 })),
  /** Where they were before they became a part of the document. */
  worlds: s.optional(worlds),
})

export const clipSchema = s.union(
  'of',
  s.strictObject({ of: s.oneOf('entries'), entries: list(entry, MAX_ENTRIES) }),
  s.strictObject({
    of: s.oneOf('dimensions'),
    dimensions: list(
      s.strictObject({
        ...dimensionFields,
        starts: s.optional(list(runningInstance)),
        sounds: s.optional(list(pathSound, MAX_PATH_SOUNDS)),
      }),
    ),
  }),
  s.strictObject({ of: s.oneOf('calls'), calls: list(call) }),
)

/** Where and what the problems are, in words. */
export function schemaProblems(issues: readonly s.Issue[]): string[] {
  return issues.map(({ path, words }) => (path.length === 0 ? words : `${path.join('.')}: ${words}`))
}
