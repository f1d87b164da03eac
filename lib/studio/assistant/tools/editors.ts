import * as z from 'zod/mini'
import { newNameProblem } from '#lib/protocol/names.ts'
import { changeSound, setSteps } from '../../document/commands/connector.ts'
import { addEntry, newConnector, renameEverywhere, setSource } from '../../document/commands/entries.ts'
import { changeConnector } from '../../document/commands/helpers.ts'
import { withFreeNames } from '../../document/free-names.ts'
import { type ConnectorEntry, type Entry, newId, type StudioDocument } from '../../document/types.ts'
import { entriesOf, TEMPLATES, withoutKnown } from '../../library/templates.ts'
import { EDITS, edited } from './edits.ts'
import { problemsText } from './readers.ts'
import { connectorNamed, entryNamed, type Hands, KIND, ToolError, text, tool, whole } from './tool.ts'
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

export const EDITORS = [
  tool(
    'write_connector',
    'Makes a connector, a piece or a part of one, with all its voices; or gives the one of that name other voices. Opens it.',
    z.strictObject({
      name: text('Letters, digits and _, not a word of Solidity.'),
      voices: z.array(voiceSchema).check(z.minLength(1), z.maxLength(MAX_VOICES)),
      steps: stepsSchema,
      sound: z.optional(soundSchema),
    }),
    async ({ name, voices, steps, sound }, hands) => {
      usableName(name)
      const phrases = await withPhrases(hands, voices.flatMap(callsOf))
      const old = hands.store
        .getState()
        .document.entries.find((each) => each.kind === 'connector' && each.name === name)
      const entryId = old?.id ?? newId()
      hands.edit((document) => {
        const first =
          old === undefined ? addEntry(document, { entry: newConnector(entryId, name, newId()) }) : document
        const written = withVoices(hands, phrases(first), entryId, voices)
        const lasting = steps === undefined ? written : setSteps(written, { entryId, steps })
        const own = voices.flatMap((voice, index) =>
          voice.sound ? [[String(index), voice.sound] as const] : [],
        )
        return changeSound(lasting, {
          entryId,
          change: (before) => withVoiceSounds({ ...before, ...sound }, own),
        })
      })
      return opened(hands, connectorNamed(hands, name))
    },
  ),

  tool(
    'edit_connector',
    'Changes single things of a connector, in order; if one of them cannot be done, none is.',
    z.strictObject({
      connector: text('Its name.'),
      edits: z.array(EDITS).check(z.minLength(1), z.maxLength(100)),
    }),
    async ({ connector, edits }, hands) => {
      const { id } = connectorNamed(hands, connector)
      const calls = edits.flatMap((each): readonly { readonly name: string }[] => {
        if (each.do === 'add_voice') return callsOf(each.voice)
        const named = each.do === 'add_call' || each.do === 'set_call' ? each.name : undefined
        return named === undefined ? [] : [{ name: named }]
      })
      const phrases = await withPhrases(hands, calls)
      hands.edit((document) =>
        edits.reduce((changed, each) => edited(hands, changed, id, each), phrases(document)),
      )
      return opened(hands, connectorNamed(hands, connector))
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
    async ({ kind, name, source }, hands) => {
      usableName(name)
      hands.edit((document) => {
        const old = document.entries.find((each) => each.kind === kind && each.name === name)
        if (old !== undefined) return setSource(document, { entryId: old.id, source })
        return addEntry(document, { entry: { kind, id: newId(), name, source } })
      })
      return `Written. It is compiled with the next result. ${await problemsText(hands, entryNamed(hands, kind, name))}`
    },
  ),

  tool(
    'rename',
    'Renames an entry, with every reference to it.',
    z.strictObject({ kind: KIND, name: text('Its name.'), to: text('Its next name.') }),
    async ({ kind, name, to }, hands) => {
      usableName(to)
      const { id: entryId } = entryNamed(hands, kind, name)
      hands.edit((document) => renameEverywhere(document, { entryId, name: to }))
      return problemsText(hands, entryNamed(hands, kind, to))
    },
  ),

  tool(
    'use_template',
    `Adds one of the studio’s templates, a whole piece to change: ${TEMPLATES.map(({ title }) => title).join(', ')}.`,
    z.strictObject({ title: z.enum(TEMPLATES.map(({ title }) => title)) }),
    async ({ title }, hands) => {
      const template = TEMPLATES.find((each) => each.title === title)
      if (template === undefined) throw new ToolError('There is no such template.')
      const { document } = hands.store.getState()
      const entries = await withFreeNames(
        withoutKnown(entriesOf(template, newId), document, () => false),
        document,
        hands.library,
      )
      hands.edit((before) => entries.reduce((changed, entry) => addEntry(changed, { entry }), before))
      return opened(hands, entries[0])
    },
  ),

  tool(
    'show',
    'Brings an entry to the front.',
    z.strictObject({ kind: KIND, name: text('Its name.') }),
    ({ kind, name }, hands) => {
      hands.open(entryNamed(hands, kind, name))
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

function usableName(name: string): void {
  const problem = newNameProblem(name)
  if (problem !== undefined) throw new ToolError(`${problem}.`)
}

async function opened(hands: Hands, entry: Entry | undefined): Promise<string> {
  if (entry === undefined) throw new ToolError('Nothing was added.')
  hands.open(entry)
  return `Done, as ${JSON.stringify(entry.name)}. ${await problemsText(hands, entry)}`
}

/** A connector with other voices. Starts that it had go with the voices before. */
function withVoices(
  hands: Hands,
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
    const position = positionOf(hands, bare, entry, index)
    return [{ position, startPoint: String(begins.start), transformationShift: String(begins.shift) }]
  })
  return changeConnector(bare, entryId, (before) => ({ ...before, staticRi }))
}
