import type { ConnectorEntry, DraftDimension, Id, StudioDocument } from '../types.ts'
import { changeEntry, mapChanged } from './change.ts'
import { renameEntry } from './entries.ts'

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
    const { condition } = connector
    if (condition === null || rename(condition.name) === condition.name) return connector
    return { ...connector, condition: { ...condition, name: rename(condition.name) } }
  }
  const dimensions = mapChanged(connector.dimensions, (dimension) =>
    kind === 'transformation' ? renameCalls(dimension, rename) : renameConnectors(dimension, rename),
  )
  return dimensions === connector.dimensions ? connector : { ...connector, dimensions }
}

function renameCalls(dimension: DraftDimension, rename: (name: string) => string): DraftDimension {
  const calls = mapChanged(dimension.calls, (call) => withName(call, rename))
  return calls === dimension.calls ? dimension : { ...dimension, calls }
}

function renameConnectors(dimension: DraftDimension, rename: (name: string) => string): DraftDimension {
  const bindings = mapChanged(dimension.bindings, (binding) => withName(binding, rename))
  const composite = rename(dimension.composite)
  if (bindings === dimension.bindings && composite === dimension.composite) return dimension
  return { ...dimension, composite, bindings }
}

function withName<T extends { readonly name: string }>(item: T, rename: (name: string) => string): T {
  const name = rename(item.name)
  return name === item.name ? item : { ...item, name }
}
