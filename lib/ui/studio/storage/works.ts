import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { StudioDocument, StudioView } from '../document/types.ts'

/** One person's work in this browser. */
export interface StoredWork {
  /** Whose it is: an address, or empty for whoever has not signed in. */
  readonly owner: string
  /** Rises with every save, whichever tab makes it. */
  readonly revision: number
  readonly savedAtMs: number
  readonly document: StudioDocument
  readonly view: StudioView
}

interface WorksSchema extends DBSchema {
  works: { key: string; value: StoredWork }
  /** What could not be read, kept as it was found. */
  unreadable: {
    key: number
    value: { readonly owner: string; readonly foundAtMs: number; readonly work: unknown }
  }
}

export type Works = IDBPDatabase<WorksSchema>

/** Opens the browser's storage. Rejects where there is none, for instance in some private windows. */
export function openWorks(): Promise<Works> {
  return openDB<WorksSchema>('weft-studio', 1, {
    upgrade(database) {
      database.createObjectStore('works', { keyPath: 'owner' })
      database.createObjectStore('unreadable', { autoIncrement: true })
    },
    blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
  })
}
