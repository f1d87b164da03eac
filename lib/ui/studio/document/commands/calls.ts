import type { DraftCall, Id, StudioDocument } from '../types.ts'
import { changeDimension, inserted, mapChanged, moved, without, withText } from './change.ts'

interface InDimension {
  readonly entryId: Id
  readonly dimensionId: Id
}

interface InCall extends InDimension {
  readonly callId: Id
}

/** Adds a transformation to the chain of a dimension, at the end unless `at` says where. */
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
  return changeDimension(document, where, (dimension) => {
    const calls = without(dimension.calls, ({ id }) => id === callId)
    return calls === dimension.calls ? dimension : { ...dimension, calls }
  })
}

export function moveCall(
  document: StudioDocument,
  { callId, to, ...where }: InCall & { readonly to: number },
): StudioDocument {
  return changeDimension(document, where, (dimension) => {
    const calls = moved(dimension.calls, callId, to)
    return calls === dimension.calls ? dimension : { ...dimension, calls }
  })
}

/** The transformation a call applies. Its arguments stay. */
export function setCallName(
  document: StudioDocument,
  { name, ...where }: InCall & { readonly name: string },
): StudioDocument {
  return changeCall(document, where, (call) => (call.name === name ? call : { ...call, name }))
}

/** The text of one argument field, whatever it says. */
export function setCallArgument(
  document: StudioDocument,
  { index, text, ...where }: InCall & { readonly index: number; readonly text: string },
): StudioDocument {
  return changeCall(document, where, (call) => {
    const args = withText(call.args, index, text)
    return args === call.args ? call : { ...call, args }
  })
}

/** All argument fields at once, for instance to drop those beyond what the transformation takes. */
export function setCallArguments(
  document: StudioDocument,
  { args, ...where }: InCall & { readonly args: readonly string[] },
): StudioDocument {
  return changeCall(document, where, (call) => ({ ...call, args }))
}

function changeCall(
  document: StudioDocument,
  { callId, ...where }: InCall,
  change: (call: DraftCall) => DraftCall,
): StudioDocument {
  return changeDimension(document, where, (dimension) => {
    const calls = mapChanged(dimension.calls, (call) => (call.id === callId ? change(call) : call))
    return calls === dimension.calls ? dimension : { ...dimension, calls }
  })
}
