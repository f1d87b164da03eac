import type { ConnectorSound } from '#lib/engine/sound/settings.ts'
import type { NodeRef } from '../node-ref.ts'
import type { DraftCondition, DraftDimension, DraftRunningInstance, Id, StudioDocument } from '../types.ts'
import { type SpanOf, withDimensions } from './dimensions.ts'
import {
  changeConnector,
  changeDimension,
  inserted,
  mapChanged,
  moved,
  withField,
  without,
  withText,
} from './helpers.ts'

interface InConnector {
  readonly entryId: Id
}

interface InDimension extends InConnector {
  readonly dimensionId: Id
}

/** By default positions below composites are not known. */
interface WithSpans {
  readonly spanOf?: SpanOf
}

/** Adds a scalar dimension without transformations, or `dimension`. At the end by default. */
export function addDimension(
  document: StudioDocument,
  args: InConnector &
    WithSpans & { readonly id: Id; readonly at?: number; readonly dimension?: DraftDimension },
): StudioDocument {
  const { entryId, id, at, dimension = { id, calls: [], composite: '', bindings: [] } } = args
  return changeConnector(document, entryId, (connector) =>
    withDimensions(connector, inserted(connector.dimensions, { ...dimension, id }, at), args.spanOf),
  )
}

/** A connector without dimensions is allowed here and reported as a problem. */
export function removeDimension(
  document: StudioDocument,
  { entryId, dimensionId, spanOf }: InDimension & WithSpans,
): StudioDocument {
  return changeConnector(document, entryId, (connector) =>
    withDimensions(
      connector,
      without(connector.dimensions, ({ id }) => id === dimensionId),
      spanOf,
    ),
  )
}

export function moveDimension(
  document: StudioDocument,
  { entryId, dimensionId, to, spanOf }: InDimension & WithSpans & { readonly to: number },
): StudioDocument {
  return changeConnector(document, entryId, (connector) =>
    withDimensions(connector, moved(connector.dimensions, dimensionId, to), spanOf),
  )
}

/**
 * The connector a dimension selects from. Empty makes it a scalar again, which has no slots to bind; otherwise the
 * bindings stay, as another connector may have the same slots.
 */
export function setComposite(
  document: StudioDocument,
  { name, ...at }: InDimension & { readonly name: string },
): StudioDocument {
  return changeDimension(document, at, (dimension) => {
    if (dimension.composite === name) return dimension
    return { ...dimension, composite: name, bindings: name === '' ? [] : dimension.bindings }
  })
}

/** Fills a slot of the composite with another connector, whatever filled it before. */
export function bindSlot(
  document: StudioDocument,
  { slot, name, ...at }: InDimension & { readonly slot: number; readonly name: string },
): StudioDocument {
  return changeDimension(document, at, (dimension) => {
    if (dimension.bindings.some((binding) => binding.slot === slot && binding.name === name)) {
      return dimension
    }
    const bindings = [...dimension.bindings.filter((binding) => binding.slot !== slot), { slot, name }]
    return { ...dimension, bindings: bindings.sort((a, b) => a.slot - b.slot) }
  })
}

export function unbindSlot(
  document: StudioDocument,
  { slot, ...at }: InDimension & { readonly slot: number },
): StudioDocument {
  return changeDimension(document, at, (dimension) =>
    withField(
      dimension,
      'bindings',
      without(dimension.bindings, (binding) => binding.slot === slot),
    ),
  )
}

interface InCall extends InDimension {
  readonly callId: Id
}

/** Adds a transformation to a dimension, at the end by default. */
export function addCall(
  document: StudioDocument,
  {
    id,
    name,
    args = [],
    at,
    ...where
  }: InDimension & {
    readonly id: Id
    readonly name: string
    readonly args?: readonly string[]
    readonly at?: number
  },
): StudioDocument {
  return changeDimension(document, where, (dimension) => ({
    ...dimension,
    calls: inserted(dimension.calls, { id, name, args }, at),
  }))
}

export function removeCall(document: StudioDocument, { callId, ...where }: InCall): StudioDocument {
  return changeDimension(document, where, (dimension) =>
    withField(
      dimension,
      'calls',
      without(dimension.calls, ({ id }) => id === callId),
    ),
  )
}

export function moveCall(
  document: StudioDocument,
  { callId, to, ...where }: InCall & { readonly to: number },
): StudioDocument {
  return changeDimension(document, where, (dimension) =>
    withField(dimension, 'calls', moved(dimension.calls, callId, to)),
  )
}

/** A use of a transformation or condition. */
export type CallRef = Extract<NodeRef, { kind: 'call' | 'condition' }>

/** Sets the name of the transformation or condition. Its arguments stay. */
export function setName(document: StudioDocument, at: CallRef, name: string): StudioDocument {
  return changeCall(document, at, (call) => withField(call, 'name', name))
}

/** Sets the text of one argument field; it is not validated here. */
export function setArgument(
  document: StudioDocument,
  at: CallRef,
  index: number,
  text: string,
): StudioDocument {
  return changeCall(document, at, (call) => withField(call, 'args', withText(call.args, index, text)))
}

/** Sets all argument fields. */
export function setArguments(document: StudioDocument, at: CallRef, args: readonly string[]): StudioDocument {
  return changeCall(document, at, (call) => ({ ...call, args }))
}

function changeCall(
  document: StudioDocument,
  at: CallRef,
  change: <T extends DraftCondition>(call: T) => T,
): StudioDocument {
  if (at.kind === 'condition') {
    return changeConnector(document, at.entryId, (connector) =>
      withField(connector, 'condition', connector.condition && change(connector.condition)),
    )
  }
  return changeDimension(document, at, (dimension) =>
    withField(
      dimension,
      'calls',
      mapChanged(dimension.calls, (call) => (call.id === at.callId ? change(call) : call)),
    ),
  )
}

/** Sets the condition of a connector; null removes it. */
export function setCondition(
  document: StudioDocument,
  { entryId, condition }: { readonly entryId: Id; readonly condition: DraftCondition | null },
): StudioDocument {
  return changeConnector(document, entryId, (connector) => withField(connector, 'condition', condition))
}

/** Sets the static running instance of a position, whatever was there before. */
export function setRunningInstance(
  document: StudioDocument,
  { entryId, ...instance }: { readonly entryId: Id } & DraftRunningInstance,
): StudioDocument {
  const { position, startPoint, transformationShift } = instance
  return changeConnector(document, entryId, (connector) => {
    const old = connector.staticRi.find((other) => other.position === position)
    if (old?.startPoint === startPoint && old.transformationShift === transformationShift) return connector
    const staticRi = [
      ...connector.staticRi.filter((other) => other !== old),
      { position, startPoint, transformationShift },
    ]
    return { ...connector, staticRi: staticRi.sort((a, b) => a.position - b.position) }
  })
}

export function removeRunningInstance(
  document: StudioDocument,
  { entryId, position }: { readonly entryId: Id; readonly position: number },
): StudioDocument {
  return changeConnector(document, entryId, (connector) =>
    withField(
      connector,
      'staticRi',
      without(connector.staticRi, (instance) => instance.position === position),
    ),
  )
}

/** Changes how a connector sounds. */
export function changeSound(
  document: StudioDocument,
  { entryId, change }: InConnector & { readonly change: (sound: ConnectorSound) => ConnectorSound },
): StudioDocument {
  return changeConnector(document, entryId, (connector) =>
    withField(connector, 'sound', change(connector.sound ?? NO_SOUND)),
  )
}

/** Sets how many steps a connector is shown and heard for. */
export function setSteps(
  document: StudioDocument,
  { entryId, steps }: InConnector & { readonly steps: number },
): StudioDocument {
  return changeConnector(document, entryId, (connector) => withField(connector, 'steps', steps))
}

const NO_SOUND: ConnectorSound = {}
