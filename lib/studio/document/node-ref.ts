import type { EntityKind } from '#lib/protocol/entity.ts'
import { memoizeByObject } from './memoize.ts'
import type { ConnectorEntry, Entry, Id, StudioDocument } from './types.ts'

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

/** The key of an entry's node in the graph; places in the document use the same keys. */
export function ownKey(entryId: Id): string {
  return `own/${entryId}`
}

/** The key of the node of a connector outside the document. */
export function outsideKey(name: string): string {
  return `outside/${name}`
}

/** The entry of a node key; undefined for a connector outside the document. */
export function entryIdOfKey(key: string): Id | undefined {
  return key.startsWith('own/') ? key.slice(4) : undefined
}

/** A name that an entry uses, and where. */
export interface DraftReference {
  readonly at: NodeRef
  readonly kind: EntityKind
  readonly name: string
}

/** Names that an entry uses, in order, with repeats; empty names are left out. */
export function referencesOf(entry: Entry): readonly DraftReference[] {
  if (entry.kind !== 'connector') return []
  return listReferences(entry)
}

// Every edit reads the references of all entries.
const listReferences = memoizeByObject((entry: ConnectorEntry): readonly DraftReference[] => {
  const references: DraftReference[] = []
  for (const { id, calls, composite, bindings } of entry.dimensions) {
    const where = { entryId: entry.id, dimensionId: id }
    for (const call of calls) {
      references.push({
        at: { kind: 'call', ...where, callId: call.id },
        kind: 'transformation',
        name: call.name,
      })
    }
    references.push({ at: { kind: 'composite', ...where }, kind: 'connector', name: composite })
    for (const { slot, name } of bindings) {
      references.push({ at: { kind: 'binding', ...where, slot }, kind: 'connector', name })
    }
  }
  if (entry.condition !== null) {
    references.push({
      at: { kind: 'condition', entryId: entry.id },
      kind: 'condition',
      name: entry.condition.name,
    })
  }
  return references.filter(({ name }) => name !== '')
})

/** An entry and every entry of the document that it needs. */
export function entriesBelow(document: StudioDocument, root: Entry): readonly Entry[] {
  // Of entries with one name the first counts.
  const byName = new Map(document.entries.toReversed().map((entry) => [`${entry.kind}/${entry.name}`, entry]))
  const reachableEntries = new Set<Entry>([root])
  // Grows while it is walked.
  for (const entry of reachableEntries) {
    for (const { kind, name } of referencesOf(entry)) {
      const used = byName.get(`${kind}/${name}`)
      if (used !== undefined) reachableEntries.add(used)
    }
  }
  return [...reachableEntries]
}
