import type { EntityKind } from '../../../domain/entity.ts'
import { isEntityName } from '../../../domain/names.ts'
import type { Library, LibraryEntity } from './library.ts'
import type { Entry, StudioDocument } from './types.ts'

/** What a name stands for in a document: an entry of its own, else what is known outside. */
export type Part =
  | { readonly from: 'document'; readonly entry: Entry }
  | { readonly from: 'library'; readonly entity: LibraryEntity }
  | 'absent'
  | 'unknown'

/** Finds parts by name. Entries of the document come first: they are what is being worked on. */
export interface Parts {
  find(kind: EntityKind, name: string): Part
  /** Outside the document only: what the parts of something published are, whatever is being drafted here. */
  outside(kind: EntityKind, name: string): Exclude<Part, { readonly from: 'document' }>
}

export function partsOf(document: StudioDocument, library: Library): Parts {
  const entries = {
    connector: new Map<string, Entry>(),
    transformation: new Map<string, Entry>(),
    condition: new Map<string, Entry>(),
  }
  // Of entries with one name the first counts; that there are more is a problem of the others.
  for (const entry of document.entries) {
    const named = entries[entry.kind]
    if (!named.has(entry.name)) named.set(entry.name, entry)
  }
  const outside: Parts['outside'] = (kind, name) => {
    // No need to ask anybody about what cannot exist.
    if (!isEntityName(name)) return 'absent'
    const found = library.find(kind, name)
    return typeof found === 'string' ? found : { from: 'library', entity: found }
  }
  return {
    outside,
    find(kind, name) {
      const entry = entries[kind].get(name)
      return entry === undefined ? outside(kind, name) : { from: 'document', entry }
    },
  }
}
