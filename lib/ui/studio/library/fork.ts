import { freeName } from '../document/clip.ts'
import { addEntry } from '../document/commands/entries.ts'
import { entryOf } from '../document/definition-of.ts'
import { newId } from '../document/ids.ts'
import type { LibraryConnector } from '../document/library.ts'
import type { StudioStore } from '../document/store.ts'
import type { ConnectorEntry } from '../document/types.ts'

/** Adds an entry that starts as a published connector, under a name of its own, as one step of undo. */
export function fork(store: StudioStore, connector: LibraryConnector): ConnectorEntry {
  const { entries } = store.getState().document
  const original = entryOf(connector.definition, newId)
  // The published name is taken, too.
  const entry = { ...original, name: freeName([...entries, original], 'connector', connector.name) }
  store.edit('Fork', (document) => addEntry(document, { entry }))
  return entry
}
