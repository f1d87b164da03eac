import { withWorlds } from '../attached-worlds.ts'
import {
  type ConnectorEntry,
  type DraftDimension,
  type Entry,
  type Id,
  type StudioDocument,
  tabKey,
} from '../types.ts'
import { changeEntry, inserted, mapChanged, withField } from './helpers.ts'

/** Adds an entry whose ids are new to the document. At the end by default. */
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
  return changeEntry(document, entryId, (entry) => withField(entry, 'name', name))
}

/** Removes an entry, the places of its nodes and its Worlds. References to its name stay. */
export function removeEntry(document: StudioDocument, { entryId }: { readonly entryId: Id }): StudioDocument {
  const entries = document.entries.filter(({ id }) => id !== entryId)
  if (entries.length === document.entries.length) return document
  const { worlds = [] } = document
  return withWorlds(
    { entries, places: document.places.filter((place) => place.entryId !== entryId) },
    worlds.filter(({ of }) => of !== tabKey({ kind: 'entry', entryId })),
  )
}

/** Changes the body of a transformation or condition. */
export function setSource(
  document: StudioDocument,
  { entryId, source }: { readonly entryId: Id; readonly source: string },
): StudioDocument {
  return changeEntry(document, entryId, (entry) =>
    entry.kind === 'connector' ? entry : withField(entry, 'source', source),
  )
}

/**
 * Renames an entry and every reference to it inside the document. When another entry has the old name too, the
 * references may mean that one and stay.
 */
export function renameEverywhere(
  document: StudioDocument,
  { entryId, name }: { readonly entryId: Id; readonly name: string },
): StudioDocument {
  const renamed = document.entries.find(({ id }) => id === entryId)
  if (renamed === undefined || renamed.name === name) return document
  const { kind, name: old } = renamed
  const after = renameEntry(document, { entryId, name })
  const ambiguous = document.entries.some(
    (entry) => entry !== renamed && entry.kind === kind && (entry.name === old || entry.name === name),
  )
  if (ambiguous || old === '') return after
  const rename = (reference: string) => (reference === old ? name : reference)
  return after.entries.reduce(
    (changed, { id }) =>
      changeEntry(changed, id, (entry) =>
        entry.kind === 'connector' ? renameReferences(entry, kind, rename) : entry,
      ),
    after,
  )
}

function renameReferences(
  connector: ConnectorEntry,
  kind: 'connector' | 'transformation' | 'condition',
  rename: (name: string) => string,
): ConnectorEntry {
  if (kind === 'condition') {
    return withField(connector, 'condition', connector.condition && withName(connector.condition, rename))
  }
  return withField(
    connector,
    'dimensions',
    mapChanged(connector.dimensions, (dimension) =>
      kind === 'transformation' ? renameCalls(dimension, rename) : renameConnectors(dimension, rename),
    ),
  )
}

function renameCalls(dimension: DraftDimension, rename: (name: string) => string): DraftDimension {
  return withField(
    dimension,
    'calls',
    mapChanged(dimension.calls, (call) => withName(call, rename)),
  )
}

function renameConnectors(dimension: DraftDimension, rename: (name: string) => string): DraftDimension {
  const bindings = mapChanged(dimension.bindings, (binding) => withName(binding, rename))
  const composite = rename(dimension.composite)
  if (bindings === dimension.bindings && composite === dimension.composite) return dimension
  return { ...dimension, composite, bindings }
}

function withName<T extends { readonly name: string }>(item: T, rename: (name: string) => string): T {
  return withField(item, 'name', rename(item.name))
}
