import type { Id } from './types.ts'

/** Points at one thing in a document: for selection, problems, clipboard, and the nodes of the graph. */
export type NodeRef =
  | { readonly kind: 'entry'; readonly entryId: Id }
  | { readonly kind: 'dimension'; readonly entryId: Id; readonly dimensionId: Id }
  | { readonly kind: 'call'; readonly entryId: Id; readonly dimensionId: Id; readonly callId: Id }
  | { readonly kind: 'composite'; readonly entryId: Id; readonly dimensionId: Id }
  | { readonly kind: 'binding'; readonly entryId: Id; readonly dimensionId: Id; readonly slot: number }
  | { readonly kind: 'condition'; readonly entryId: Id }
  | { readonly kind: 'running-instance'; readonly entryId: Id; readonly position: number }

/** A text that is equal for equal references and different for different ones. */
export function refKey(ref: NodeRef): string {
  switch (ref.kind) {
    case 'entry':
    case 'condition':
      return JSON.stringify([ref.kind, ref.entryId])
    case 'dimension':
    case 'composite':
      return JSON.stringify([ref.kind, ref.entryId, ref.dimensionId])
    case 'call':
      return JSON.stringify([ref.kind, ref.entryId, ref.dimensionId, ref.callId])
    case 'binding':
      return JSON.stringify([ref.kind, ref.entryId, ref.dimensionId, ref.slot])
    case 'running-instance':
      return JSON.stringify([ref.kind, ref.entryId, ref.position])
  }
}
