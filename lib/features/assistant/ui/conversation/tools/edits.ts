import * as z from 'zod/mini'
import { INT32 } from '#lib/browser/typed-number.ts'
import {
  addCall,
  addDimension,
  bindSlot,
  changeSound,
  removeCall,
  removeDimension,
  setArguments,
  setComposite,
  setCondition,
  setName,
  setRunningInstance,
  setSteps,
} from '#lib/studio/document/commands/connector.ts'
import { putKnob } from '#lib/studio/document/commands/knobs.ts'
import { MAX_KNOB_NAME } from '#lib/studio/document/knob.ts'
import { partsOf } from '#lib/studio/document/parts.ts'
import { spansIn } from '#lib/studio/document/positions-of.ts'
import { shapesOf } from '#lib/studio/document/shapes.ts'
import { type ConnectorEntry, newId, type StudioDocument } from '#lib/studio/document/types.ts'
import { number, type ToolContext, ToolError, text, whole } from './tool.ts'
import {
  callSchema,
  dimensionOf,
  positionOf,
  soundSchema,
  startOf,
  voiceSchema,
  voiceSoundSchema,
  withVoiceSounds,
} from './voices.ts'

const voice = whole('Index of the voice, from 0.', 0, 10_000)
const call = whole('Index of the call in its voice, from 0.', 0, 10_000)
const at = z.optional(whole('Its index; at the end by default.', 0, 10_000))

/** One change of a connector: the document's commands, with indices in place of ids. */
export const EDITS = z.discriminatedUnion('do', [
  edit('add_voice', { voice: voiceSchema }),
  edit('remove_voice', { voice }),
  edit('select', { voice, connector: text('What its values select from.') }),
  edit('fill_slot', { voice, slot: number('Number of the slot.'), connector: text('What fills it.') }),
  edit('add_call', { voice, at, ...callSchema.shape }),
  edit('remove_call', { voice, call }),
  edit('set_call', { voice, call, ...z.partial(callSchema).shape }),
  edit('start', {
    voice,
    start: number('Value of the first step.'),
    shift: z.optional(number('Index of the first call.')),
  }),
  edit('condition', { name: text('A condition.'), args: z.array(whole('', INT32.min, INT32.max)) }),
  edit('remove_condition', {}),
  edit('steps', { steps: whole('Length of the piece.', 1, 65_536) }),
  edit('sound', soundSchema.shape),
  edit('voice_sound', {
    path: text('As result names it: 0, or 0/2 inside a selected connector.'),
    ...voiceSoundSchema.shape,
  }),
  edit('knob', {
    voice,
    call,
    argument: whole('From 0.', 0, 63),
    label: text('Its words.', MAX_KNOB_NAME),
    min: number(''),
    max: number(''),
  }),
])
export type Edit = z.infer<typeof EDITS>

/** Applies one change to a connector. @throws {ToolError} where it has no such voice, call or argument. */
export function applyEdit(
  context: ToolContext,
  document: StudioDocument,
  entryId: string,
  edit: Edit,
): StudioDocument {
  const entry = document.entries.find(({ id }) => id === entryId) as ConnectorEntry
  const dimensionAt = (index: number) => {
    const dimension = entry.dimensions[index]
    if (dimension === undefined)
      throw new ToolError(`There is no voice ${index}: there are ${entry.dimensions.length}, from 0.`)
    return { entryId, dimensionId: dimension.id }
  }
  const callAt = (index: number, of: number) => {
    const where = dimensionAt(index)
    const match = entry.dimensions[index]?.calls[of]
    if (match === undefined) throw new ToolError(`Voice ${index} has no call ${of}.`)
    return { ...where, callId: match.id }
  }
  const targetAt = (each: { voice: number; call: number; argument: number }) => {
    const { callId } = callAt(each.voice, each.call)
    return { kind: 'call', callId, index: each.argument } as const
  }

  switch (edit.do) {
    case 'add_voice': {
      const index = entry.dimensions.length
      const added = addDimension(document, { entryId, id: newId(), dimension: dimensionOf(edit.voice) })
      const begins = startOf(edit.voice)
      const started = begins === undefined ? added : withStart(context, added, entryId, index, begins)
      const { sound } = edit.voice
      if (sound === undefined) return started
      return changeSound(started, {
        entryId,
        change: (before) => withVoiceSounds(before, [[String(index), sound]]),
      })
    }
    case 'remove_voice': {
      const spanOf = spansIn(shapesOf(partsOf(document, context.library)))
      return removeDimension(document, { ...dimensionAt(edit.voice), spanOf })
    }
    case 'select':
      return setComposite(document, { ...dimensionAt(edit.voice), name: edit.connector })
    case 'fill_slot':
      return bindSlot(document, { ...dimensionAt(edit.voice), slot: edit.slot, name: edit.connector })
    case 'add_call':
      return addCall(document, {
        ...dimensionAt(edit.voice),
        id: newId(),
        name: edit.name,
        args: edit.args.map(String),
        ...(edit.at !== undefined && { at: edit.at }),
      })
    case 'remove_call':
      return removeCall(document, callAt(edit.voice, edit.call))
    case 'set_call': {
      const where = { kind: 'call', ...callAt(edit.voice, edit.call) } as const
      const renamed = edit.name === undefined ? document : setName(document, where, edit.name)
      return edit.args === undefined ? renamed : setArguments(renamed, where, edit.args.map(String))
    }
    case 'start':
      dimensionAt(edit.voice)
      return withStart(context, document, entryId, edit.voice, { start: edit.start, shift: edit.shift ?? 0 })
    case 'condition':
      return setCondition(document, { entryId, condition: { name: edit.name, args: edit.args.map(String) } })
    case 'remove_condition':
      return setCondition(document, { entryId, condition: null })
    case 'steps':
      return setSteps(document, { entryId, steps: edit.steps })
    case 'sound': {
      const { do: _do, ...sound } = edit
      return changeSound(document, { entryId, change: (before) => ({ ...before, ...sound }) })
    }
    case 'voice_sound': {
      const { do: _do, path, ...sound } = edit
      if (!/^\d{1,5}(\/\d{1,5}){0,31}$/.test(path))
        throw new ToolError('A path is numbers with / between them.')
      return changeSound(document, { entryId, change: (before) => withVoiceSounds(before, [[path, sound]]) })
    }
    case 'knob': {
      if (edit.min >= edit.max) throw new ToolError('The range of a knob ends above where it begins.')
      const { label: name, min, max } = edit
      return putKnob(document, entryId, { name, min, max, target: targetAt(edit) })
    }
  }
}

function withStart(
  context: ToolContext,
  document: StudioDocument,
  entryId: string,
  index: number,
  { start, shift }: { readonly start: number; readonly shift: number },
): StudioDocument {
  const entry = document.entries.find(({ id }) => id === entryId) as ConnectorEntry
  const position = positionOf(context, document, entry, index)
  return setRunningInstance(document, {
    entryId,
    position,
    startPoint: String(start),
    transformationShift: String(shift),
  })
}

function edit<const Name extends string, Shape extends z.core.$ZodShape>(name: Name, shape: Shape) {
  return z.strictObject({ do: z.literal(name), ...shape })
}
