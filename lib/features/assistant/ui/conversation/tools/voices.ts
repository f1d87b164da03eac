import * as z from 'zod/mini'
import { UINT32 } from '#lib/browser/typed-number.ts'
import {
  type ConnectorSound,
  HIT_RULES,
  INSTRUMENTS,
  PITCH_MAPPINGS,
  SCALES,
  withPathSound,
} from '#lib/engine/sound/settings.ts'
import { OCTAVE, PAN, PERCENT, SPAN, STEPS_PER_BEAT, TEMPO } from '#lib/protocol/sound-limits.ts'
import { addEntry } from '#lib/studio/document/commands/entries.ts'
import { partsOf } from '#lib/studio/document/parts.ts'
import { positionsOf } from '#lib/studio/document/positions-of.ts'
import { shapesOf } from '#lib/studio/document/shapes.ts'
import {
  type ConnectorEntry,
  type DraftCall,
  type DraftDimension,
  newId,
  type StudioDocument,
} from '#lib/studio/document/types.ts'
import { phraseOf } from '#lib/studio/library/phrase-book.ts'
import { number, readNames, type ToolContext, ToolError, text, whole } from './tool.ts'

/* The voices of a connector, their starts and their sound, as a model writes them. */

const MAX_CALLS = 256
export const MAX_VOICES = 32
/** Above every MIDI note: a voice taken as notes rests there. */
export const REST_VALUE = 255

export const callSchema = z.strictObject({
  name: text('A transformation: of the document, of the phrase book, or published.'),
  args: z.array(number('')).check(z.maxLength(64), z.describe('Its numbers, in order.')),
})
export type CallInput = z.infer<typeof callSchema>

function range({ min, max }: { readonly min: number; readonly max: number }) {
  return z.optional(z.int().check(z.gte(min), z.lte(max)))
}

export const voiceSoundSchema = z.strictObject({
  instrument: z.optional(z.enum(INSTRUMENTS)),
  mapping: z.optional(
    z
      .enum(PITCH_MAPPINGS)
      .check(
        z.describe(
          'notes: the value is a MIDI note, above 127 a rest. steps: the value counts steps of the scale from the lowest note. spread: least to most over the range.',
        ),
      ),
  ),
  octave: range(OCTAVE),
  span: range(SPAN),
  hits: z.optional(z.enum(HIT_RULES)),
  level: range(PERCENT),
  pan: range(PAN),
  room: range(PERCENT),
  echo: range(PERCENT),
  muted: z.optional(z.boolean()),
})

export const soundSchema = z.strictObject({
  bpm: z.optional(z.number().check(z.gte(TEMPO.min), z.lte(TEMPO.max))),
  stepsPerBeat: z.optional(z.literal(STEPS_PER_BEAT)),
  swing: range(PERCENT),
  loop: z.optional(z.boolean()),
  root: z.optional(whole('Half tones above C: D is 2, A is 9.', 0, 11)),
  scale: z.optional(z.enum(SCALES)),
})

export const voiceSchema = z.strictObject({
  values: z.optional(
    z
      .array(z.nullable(number('')))
      .check(
        z.minLength(1),
        z.maxLength(MAX_CALLS),
        z.describe(
          'One value a step, over and over; null is a rest. Takes the place of start and calls. For a line or rhythm that is written out.',
        ),
      ),
  ),
  start: z.optional(number('Value of the first step.')),
  shift: z.optional(number('Index of the call that is first.')),
  calls: z.optional(
    z
      .array(callSchema)
      .check(z.maxLength(MAX_CALLS), z.describe('Take turns: each makes the next value of the one before.')),
  ),
  select: z.optional(
    text('A connector: the values choose which of its steps is taken, instead of being heard.'),
  ),
  slots: z.optional(
    z.record(z.string(), z.string()).check(z.describe('Connectors for slots of that connector, by number.')),
  ),
  sound: z.optional(voiceSoundSchema),
})
export type VoiceInput = z.infer<typeof voiceSchema>

/** A call with the numbers as they would be typed. */
export function draftCall({ name, args }: CallInput): DraftCall {
  return { id: newId(), name, args: args.map(String) }
}

/** Calls of a voice, also where its values are written out. */
export function callsOf({ values, calls = [] }: VoiceInput): readonly CallInput[] {
  if (values === undefined) return calls
  const line = values.map((value) => value ?? REST_VALUE)
  // A voice begins with its start, and the last call leads back to it.
  const [first = 0, ...rest] = line
  return [...rest, first].map((value) => ({ name: 'set_to', args: [value] }))
}

/** Where a voice begins; undefined for 0. */
export function startOf({
  values,
  start,
  shift,
}: VoiceInput): { readonly start: number; readonly shift: number } | undefined {
  const first = values === undefined ? start : (values[0] ?? REST_VALUE)
  return first === undefined && shift === undefined ? undefined : { start: first ?? 0, shift: shift ?? 0 }
}

export function dimensionOf(voice: VoiceInput): DraftDimension {
  const bindings = Object.entries(voice.slots ?? {}).map(([slot, name]) => ({ slot: Number(slot), name }))
  if (bindings.some(({ slot }) => !Number.isInteger(slot) || slot < 0 || slot > UINT32.max))
    throw new ToolError('A slot is named by its number, from 0.')
  return {
    id: newId(),
    calls: callsOf(voice).map(draftCall),
    composite: voice.select ?? '',
    bindings: voice.select === undefined ? [] : bindings.sort((a, b) => a.slot - b.slot),
  }
}

/** The settings of some voices of a connector, beside those that it has. */
export function withVoiceSounds(
  sound: ConnectorSound,
  voices: readonly (readonly [path: string, sound: z.infer<typeof voiceSoundSchema>])[],
): ConnectorSound {
  return voices.reduce((changed, [path, change]) => withPathSound(changed, path, change), sound)
}

/** The position at which a voice of a connector starts. */
export function positionOf(
  context: Pick<ToolContext, 'library'>,
  document: StudioDocument,
  entry: ConnectorEntry,
  voice: number,
): number {
  if (entry.dimensions.slice(0, voice).every(({ composite }) => composite === '')) return voice + 1
  const shape = shapesOf(partsOf(document, context.library)).ofEntry(entry)
  const positions = typeof shape === 'string' ? undefined : positionsOf(shape)
  const match = positions?.find(({ path }) => path === `/${entry.name}:${voice}`)
  if (match === undefined)
    throw new ToolError(`Where voice ${voice} starts is not known while a connector before it is not found.`)
  return match.position
}

/**
 * Phrases of the book that calls name and neither the document nor the network has are added to the document; what else is
 * unknown stays a problem of its line.
 */
export async function withPhrases(
  context: ToolContext,
  calls: readonly { readonly name: string }[],
): Promise<(document: StudioDocument) => StudioDocument> {
  const phrases = [...new Set(calls.map(({ name }) => name))].flatMap((name) => phraseOf(name) ?? [])
  const missing = phrases.filter(
    ({ name }) =>
      !context.store
        .getState()
        .document.entries.some((entry) => entry.kind === 'transformation' && entry.name === name),
  )
  const entities = await readNames(
    context,
    missing.map(({ name }) => ({ kind: 'transformation', name })),
  )
  const published = new Set(entities.map(({ contentHash }) => contentHash))
  return (document) =>
    missing
      .filter(({ contentHash }) => !published.has(contentHash))
      .reduce((changed, { name, source }) => {
        if (changed.entries.some((entry) => entry.kind === 'transformation' && entry.name === name))
          return changed
        return addEntry(changed, { entry: { kind: 'transformation', id: newId(), name, source } })
      }, document)
}
