import type { Handlers } from '#lib/studio/actions.ts'
import { copy, paste, readClip, writeClip } from '#lib/studio/document/clip.ts'
import {
  addCall,
  addDimension,
  moveCall,
  moveDimension,
  removeCall,
  removeDimension,
  setComposite,
  setCondition,
  unbindSlot,
} from '#lib/studio/document/commands/connector.ts'
import type { SpanOf } from '#lib/studio/document/commands/dimensions.ts'
import type { NodeRef } from '#lib/studio/document/node-ref.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import {
  type ConnectorEntry,
  type DraftDimension,
  newId,
  type StudioDocument,
} from '#lib/studio/document/types.ts'

import { type ClipboardSource, clipboardActions } from './transfer.ts'

/** Reach of the actions besides the document. */
interface ActionContext {
  readonly store: StudioStore
  readonly entry: ConnectorEntry
  /** Positions that each of its voices takes. */
  readonly spanOf: SpanOf
  /** The chosen line; undefined when none is. */
  readonly at: NodeRef | undefined
  /** Chooses a line and puts the focus on its first field. */
  readonly focusField: (at: NodeRef) => void
  /** Chooses a line and puts the focus on it. */
  readonly focusRow: (at: NodeRef) => void
  /** Opens the entity of a name in a tab. */
  readonly open: (kind: 'connector' | 'transformation' | 'condition', name: string) => void
  readonly announce: (text: string) => void
}

interface ConnectorActions extends ClipboardSource {
  readonly handlers: Handlers
}

/** Everything that can be done in the outline of a connector with this line chosen. */
export function connectorActions(context: ActionContext): ConnectorActions {
  const { store, entry, spanOf, at, focusField, focusRow, open, announce } = context
  const entryId = entry.id
  const dimension = dimensionAt(entry, at)
  const edit = (label: string, command: (document: StudioDocument) => StudioDocument) =>
    store.edit(label, command)
  const reference = referenceAt(entry, at)
  const movable = at?.kind === 'call' || at?.kind === 'dimension'

  const move = (by: number) => {
    if (at?.kind === 'call' && dimension) {
      const index = dimension.calls.findIndex(({ id }) => id === at.callId)
      edit('Move step', (document) => moveCall(document, { ...at, to: index + by }))
    } else if (at?.kind === 'dimension') {
      const index = entry.dimensions.findIndex(({ id }) => id === at.dimensionId)
      edit('Move voice', (document) => moveDimension(document, { ...at, to: index + by, spanOf }))
    }
    if (at) focusRow(at)
  }

  const addTransformation = () => {
    // Without a selection, the last dimension.
    const target = dimension ?? entry.dimensions.at(-1)
    if (!target) return
    const where = { entryId, dimensionId: target.id }
    const id = newId()
    const after =
      at?.kind === 'call' ? target.calls.findIndex((call) => call.id === at.callId) + 1 : undefined
    const place = after === undefined ? {} : { at: after }
    edit('Add step', (document) => addCall(document, { ...where, id, name: '', ...place }))
    focusField({ kind: 'call', ...where, callId: id })
  }

  const addOneDimension = () => {
    const id = newId()
    const index = dimension ? entry.dimensions.indexOf(dimension) + 1 : entry.dimensions.length
    edit('Add voice', (document) => addDimension(document, { entryId, id, at: index, spanOf }))
    focusRow({ kind: 'dimension', entryId, dimensionId: id })
  }

  const remove = () => {
    if (at === undefined) return
    const next = neighbour(entry, at)
    if (at.kind === 'call') edit('Remove step', (document) => removeCall(document, at))
    else if (at.kind === 'dimension')
      edit('Remove voice', (document) => removeDimension(document, { ...at, spanOf }))
    else if (at.kind === 'composite')
      edit('Play nothing else', (document) => setComposite(document, { ...at, name: '' }))
    else if (at.kind === 'binding') edit('Empty place', (document) => unbindSlot(document, at))
    else if (at.kind === 'condition')
      edit('Remove gate', (document) => setCondition(document, { ...at, condition: null }))
    focusRow(next)
  }

  const clip = at ? copy(store.getState().document, [at], spanOf) : undefined
  const copied = clip && writeClip(clip)
  const pasteText = (text: string) => {
    const read = readClip(text)
    if (read.ok) pasteClip(read.clip, 'Paste')
    else announce(read.sentence)
  }
  const pasteClip = (clip: Parameters<typeof paste>[1], label: string) => {
    const pasted = paste(store.getState().document, clip, {
      at: at ?? { kind: 'entry', entryId },
      newId,
      spanOf,
    })
    edit(label, () => pasted.document)
    const last = pasted.added.at(-1)
    if (last === undefined) announce('There is no place for it here.')
    else if (last.kind !== 'entry') focusRow(last)
  }

  const handlers: Handlers = {
    'add-call': { enabled: entry.dimensions.length > 0, run: addTransformation },
    'add-dimension': { run: addOneDimension },
    'add-condition': {
      enabled: entry.condition === null,
      run: () => {
        edit('Add gate', (document) => setCondition(document, { entryId, condition: { name: '', args: [] } }))
        focusField({ kind: 'condition', entryId })
      },
    },
    open: {
      enabled: reference !== undefined,
      run: () => reference && open(reference.kind, reference.name),
    },
    up: { enabled: movable, run: () => move(-1) },
    down: { enabled: movable, run: () => move(1) },
    duplicate: { enabled: clip !== undefined, run: () => clip && pasteClip(clip, 'Duplicate') },
    ...clipboardActions({ copied, pasteText }, announce),
    remove: {
      enabled: at !== undefined && at.kind !== 'entry' && at.kind !== 'running-instance',
      run: remove,
    },
  }
  return { handlers, copied, pasteText }
}

function dimensionAt(entry: ConnectorEntry, at: NodeRef | undefined): DraftDimension | undefined {
  if (at === undefined || !('dimensionId' in at)) return undefined
  return entry.dimensions.find(({ id }) => id === at.dimensionId)
}

/** The name that a line refers to. */
export function referenceAt(entry: ConnectorEntry, at: NodeRef | undefined) {
  const dimension = dimensionAt(entry, at)
  const named = (kind: 'connector' | 'transformation' | 'condition', name: string | undefined) =>
    name ? { kind, name } : undefined
  switch (at?.kind) {
    case 'call':
      return named('transformation', dimension?.calls.find(({ id }) => id === at.callId)?.name)
    case 'composite':
      return named('connector', dimension?.composite)
    case 'binding':
      return named('connector', dimension?.bindings.find(({ slot }) => slot === at.slot)?.name)
    case 'condition':
      return named('condition', entry.condition?.name)
    default:
      return undefined
  }
}

/** Focus target when a line is removed: its neighbour, else its parent. */
function neighbour(entry: ConnectorEntry, at: NodeRef): NodeRef {
  const dimension = dimensionAt(entry, at)
  if (at.kind === 'call' && dimension) {
    const index = dimension.calls.findIndex(({ id }) => id === at.callId)
    const next = dimension.calls[index + 1] ?? dimension.calls[index - 1]
    const { entryId, dimensionId } = at
    return next ? { ...at, callId: next.id } : { kind: 'dimension', entryId, dimensionId }
  }
  if (at.kind === 'dimension' || at.kind === 'condition') {
    const index = at.kind === 'dimension' ? entry.dimensions.findIndex(({ id }) => id === at.dimensionId) : -1
    const next = entry.dimensions[index + 1] ?? entry.dimensions[index - 1]
    return next
      ? { kind: 'dimension', entryId: entry.id, dimensionId: next.id }
      : { kind: 'entry', entryId: entry.id }
  }
  return at
}
