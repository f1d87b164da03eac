import { withWorlds } from '../attached-worlds.ts'
import { type Entry, type Id, type StudioDocument, tabKey } from '../types.ts'
import { changeEntry, inserted, moved } from './change.ts'

/** Adds an entry as it is; its ids must be new to the document. At the end unless `at` says where. */
export function addEntry(
  document: StudioDocument,
  { entry, at }: { readonly entry: Entry; readonly at?: number },
): StudioDocument {
  if (document.entries.some(({ id }) => id === entry.id)) return document
  return { ...document, entries: inserted(document.entries, entry, at) }
}

/** An empty connector has one scalar dimension: the registry takes none without. */
export function newConnector(id: Id, name: string, dimensionId: Id): Entry {
  return {
    kind: 'connector',
    id,
    name,
    dimensions: [{ id: dimensionId, calls: [], composite: '', bindings: [] }],
    condition: null,
    staticRi: [],
  }
}

/** A body that compiles and can be changed into what is wanted. */
export function newCode(kind: 'transformation' | 'condition', id: Id, name: string): Entry {
  return {
    kind,
    id,
    name,
    source: kind === 'transformation' ? 'return x + args[0];' : 'return args[0] > 0;',
  }
}

/** References to the old name stay as they are; `renameEverywhere` takes them along. */
export function renameEntry(
  document: StudioDocument,
  { entryId, name }: { readonly entryId: Id; readonly name: string },
): StudioDocument {
  return changeEntry(document, entryId, (entry) => (entry.name === name ? entry : { ...entry, name }))
}

/** Removes an entry, the places of its nodes and its Worlds. What refers to it by name keeps the name. */
export function removeEntry(document: StudioDocument, { entryId }: { readonly entryId: Id }): StudioDocument {
  const entries = document.entries.filter(({ id }) => id !== entryId)
  if (entries.length === document.entries.length) return document
  const { worlds = [] } = document
  return withWorlds(
    { entries, places: document.places.filter((place) => place.entryId !== entryId) },
    worlds.filter(({ of }) => of !== tabKey({ kind: 'entry', entryId })),
  )
}

export function moveEntry(
  document: StudioDocument,
  { entryId, to }: { readonly entryId: Id; readonly to: number },
): StudioDocument {
  const entries = moved(document.entries, entryId, to)
  return entries === document.entries ? document : { ...document, entries }
}

/** Changes the body of a transformation or condition. */
export function setSource(
  document: StudioDocument,
  { entryId, source }: { readonly entryId: Id; readonly source: string },
): StudioDocument {
  return changeEntry(document, entryId, (entry) =>
    entry.kind === 'connector' || entry.source === source ? entry : { ...entry, source },
  )
}
