import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { newId } from '../document/ids.ts'
import type { StudioDocument, StudioView } from '../document/types.ts'

/** Owner of the work of whoever has not signed in. */
export const VISITOR = ''

/** What a workspace is called that nobody has named yet. */
export const FIRST_NAME = 'My work'

/** One workspace, as this browser keeps it. */
export interface StoredWork {
  /** Whose it is: an address, or empty for whoever has not signed in. */
  readonly owner: string
  /** Its id, which is the same on the server. */
  readonly workspace: string
  readonly name: string
  /** Rises with every save, whichever tab makes it. */
  readonly revision: number
  readonly savedAtMs: number
  readonly document: StudioDocument
  readonly view: StudioView
  /** Null unless it is deleted and can be taken back. */
  readonly deletedAtMs: number | null
}

/** What the server is known to have of a workspace: what changes here and there are told apart by. */
export interface SyncedWork {
  readonly owner: string
  readonly workspace: string
  readonly name: string
  /** The server's, of which `document` is. */
  readonly revision: number
  readonly document: StudioDocument
  readonly deleted: boolean
  /** The revision here that holds nothing the server has not; -1 when there is none. */
  readonly localRevision: number
  /** What was on its way when nobody answered: the server may have it. */
  readonly sent: StudioDocument | null
}

interface WorksSchema extends DBSchema {
  works: { key: [string, string]; value: StoredWork; indexes: { owner: string } }
  synced: { key: [string, string]; value: SyncedWork }
  /** The workspace that was open last. */
  opened: { key: string; value: { readonly owner: string; readonly workspace: string } }
  /** What could not be read, kept as it was found. */
  unreadable: {
    key: number
    value: { readonly owner: string; readonly foundAtMs: number; readonly work: unknown }
  }
}

export type Works = IDBPDatabase<WorksSchema>

/** Opens the browser's storage. Rejects where there is none, for instance in some private windows. */
export function openWorks(): Promise<Works> {
  return openDB<WorksSchema>('weft-studio', 2, {
    async upgrade(database, before, _after, transaction) {
      // Version 1 had one document an owner.
      const old = before === 1 ? ((await transaction.objectStore('works').getAll()) as unknown[]) : []
      if (before === 1) database.deleteObjectStore('works')
      else database.createObjectStore('unreadable', { autoIncrement: true })
      const works = database.createObjectStore('works', { keyPath: ['owner', 'workspace'] })
      works.createIndex('owner', 'owner')
      database.createObjectStore('synced', { keyPath: ['owner', 'workspace'] })
      database.createObjectStore('opened', { keyPath: 'owner' })
      for (const work of old) {
        await works.put({
          ...(work as StoredWork),
          workspace: newId(),
          name: FIRST_NAME,
          deletedAtMs: null,
        })
      }
    },
    blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
  })
}

/** How tabs tell each other that a workspace of this owner changed; the message is its id. */
export function worksChannel(owner: string): BroadcastChannel {
  return new BroadcastChannel(`weft-studio/${owner}`)
}
