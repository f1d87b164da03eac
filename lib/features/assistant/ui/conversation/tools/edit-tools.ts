import * as z from 'zod/mini'
import { newNameProblem } from '#lib/protocol/names.ts'
import { changeSound, setSteps } from '#lib/studio/document/commands/connector.ts'
import { addEntry, newConnector, renameEverywhere, setSource } from '#lib/studio/document/commands/entries.ts'
import { changeConnector } from '#lib/studio/document/commands/helpers.ts'
import { withFreeNames } from '#lib/studio/document/free-names.ts'
import { type ConnectorEntry, type Entry, newId, type StudioDocument } from '#lib/studio/document/types.ts'
import { entriesOf, TEMPLATES, withoutKnown } from '#lib/studio/library/templates.ts'
import { applyEdit, EDITS } from './edits.ts'
import { problemsText } from './read-tools.ts'
import { connectorNamed, entryNamed, KIND, type ToolContext, ToolError, text, tool, whole } from './tool.ts'
import {
  callsOf,
  dimensionOf,
  MAX_VOICES,
  positionOf,
  soundSchema,
  startOf,
  type VoiceInput,
  voiceSchema,
  withPhrases,
  withVoiceSounds,
} from './voices.ts'

const stepsSchema = z.optional(whole('Length of the piece.', 1, 65_536))

export const EDIT_TOOLS = [
  tool(
    'write_connector',
    'Makes a connector, a piece or a part of one, with all its voices; or gives the one of that name other voices. Opens it.',
    z.strictObject({
      name: text('Letters, digits and _, not a word of Solidity.'),
      voices: z.array(voiceSchema).check(z.minLength(1), z.maxLength(MAX_VOICES)),
      steps: stepsSchema,
      sound: z.optional(soundSchema),
    }),
    async ({ name, voices, steps, sound }, context) => {
      assertUsableName(name)
      const phrases = await withPhrases(context, voices.flatMap(callsOf))
      const old = context.store
        .getState()
        .document.entries.find((each) => each.kind === 'connector' && each.name === name)
      const entryId = old?.id ?? newId()
      context.edit((document) => {
        const first =
          old === undefined ? addEntry(document, { entry: newConnector(entryId, name, newId()) }) : document
        const voiced = withVoices(context, phrases(first), entryId, voices)
        const lasting = steps === undefined ? voiced : setSteps(voiced, { entryId, steps })
        const own = voices.flatMap((voice, index) =>
          voice.sound ? [[String(index), voice.sound] as const] : [],
        )
        return changeSound(lasting, {
          entryId,
          change: (before) => withVoiceSounds({ ...before, ...sound }, own),
        })
      })
      return openEntry(context, connectorNamed(context, name))
    },
  ),

  tool(
    'edit_connector',
    'Changes single things of a connector, in order; if one of them cannot be done, none is.',
    z.strictObject({
      connector: text('Its name.'),
      edits: z.array(EDITS).check(z.minLength(1), z.maxLength(100)),
    }),
    async ({ connector, edits }, context) => {
      const { id } = connectorNamed(context, connector)
      const calls = edits.flatMap((each): readonly { readonly name: string }[] => {
        if (each.do === 'add_voice') return callsOf(each.voice)
        const name = each.do === 'add_call' || each.do === 'set_call' ? each.name : undefined
        return name === undefined ? [] : [{ name }]
      })
      const phrases = await withPhrases(context, calls)
      context.edit((document) =>
        edits.reduce((changed, each) => applyEdit(context, changed, id, each), phrases(document)),
      )
      return openEntry(context, connectorNamed(context, connector))
    },
  ),

  tool(
    'write_code',
    'Writes the body of a transformation (x is the value before, args its uint32 numbers; it returns a uint32) or of a condition (args are int32; it returns a bool), in Solidity; makes it if there is none of that name.',
    z.strictObject({
      kind: z.enum(['transformation', 'condition']),
      name: text('Its name.'),
      source: text('The body alone.', 16_000),
    }),
    async ({ kind, name, source }, context) => {
      assertUsableName(name)
      context.edit((document) => {
        const old = document.entries.find((each) => each.kind === kind && each.name === name)
        if (old !== undefined) return setSource(document, { entryId: old.id, source })
        return addEntry(document, { entry: { kind, id: newId(), name, source } })
      })
      return `Written. It is compiled with the next result. ${await problemsText(context, entryNamed(context, kind, name))}`
    },
  ),

  tool(
    'rename',
    'Renames an entry, with every reference to it.',
    z.strictObject({ kind: KIND, name: text('Its name.'), to: text('Its next name.') }),
    async ({ kind, name, to }, context) => {
      assertUsableName(to)
      const { id: entryId } = entryNamed(context, kind, name)
      context.edit((document) => renameEverywhere(document, { entryId, name: to }))
      return problemsText(context, entryNamed(context, kind, to))
    },
  ),

  tool(
    'use_template',
    `Adds one of the studio’s templates, a whole piece to change: ${TEMPLATES.map(({ title }) => title).join(', ')}.`,
    z.strictObject({ title: z.enum(TEMPLATES.map(({ title }) => title)) }),
    async ({ title }, context) => {
      const template = TEMPLATES.find((each) => each.title === title)
      if (template === undefined) throw new ToolError('There is no such template.')
      const { document } = context.store.getState()
      const entries = await withFreeNames(
        withoutKnown(entriesOf(template, newId), document, () => false),
        document,
        context.library,
      )
      context.edit((before) => entries.reduce((changed, entry) => addEntry(changed, { entry }), before))
      return openEntry(context, entries[0])
    },
  ),

  tool(
    'show',
    'Brings an entry to the front.',
    z.strictObject({ kind: KIND, name: text('Its name.') }),
    ({ kind, name }, context) => {
      context.open(entryNamed(context, kind, name))
      return 'It is in front.'
    },
  ),

  tool(
    'play',
    'Plays what is in front, or stops.',
    z.strictObject({ on: z.boolean() }),
    ({ on }, { play }) => {
      play(on)
      return on ? 'It plays, unless the browser wants a press first.' : 'It is quiet.'
    },
  ),
]

function assertUsableName(name: string): void {
  const problem = newNameProblem(name)
  if (problem !== undefined) throw new ToolError(`${problem}.`)
}

async function openEntry(context: ToolContext, entry: Entry | undefined): Promise<string> {
  if (entry === undefined) throw new ToolError('Nothing was added.')
  context.open(entry)
  return `Done, as ${JSON.stringify(entry.name)}. ${await problemsText(context, entry)}`
}

/** A connector with other voices. Starts that it had go with the voices before. */
function withVoices(
  context: ToolContext,
  document: StudioDocument,
  entryId: string,
  voices: readonly VoiceInput[],
): StudioDocument {
  const bare = changeConnector(document, entryId, (entry) => ({
    ...entry,
    dimensions: voices.map(dimensionOf),
    staticRi: [],
  }))
  const entry = bare.entries.find(({ id }) => id === entryId) as ConnectorEntry
  const staticRi = voices.flatMap((voice, index) => {
    const begins = startOf(voice)
    if (begins === undefined) return []
    const position = positionOf(context, bare, entry, index)
    return [{ position, startPoint: String(begins.start), transformationShift: String(begins.shift) }]
  })
  return changeConnector(bare, entryId, (before) => ({ ...before, staticRi }))
}
