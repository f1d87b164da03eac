import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { browserMemory } from '#lib/browser/memory.ts'
import { openTabChannel } from '#lib/browser/tab-channel.ts'
import type { History } from '../document/history.ts'
import { newId, type StudioDocument, type StudioView } from '../document/types.ts'

/** Owner of the workspaces of a visitor. */
export const VISITOR = ''

/** Characters of the name of a workspace, as the server counts. */
export const MAX_WORKSPACE_NAME = 80
/** Default name of a workspace. */
export const DEFAULT_NAME = 'My work'

/** A workspace in this browser's storage. */
export interface StoredWorkspace {
  /** An address, or empty for a visitor. */
  readonly owner: string
  /** Its id, which is the same on the server. */
  readonly workspace: string
  readonly name: string
  /** Rises with every save, whichever tab makes it. */
  readonly revision: number
  readonly savedAtMs: number
  readonly document: StudioDocument
  readonly view: StudioView
  /** Null unless it is deleted and can be restored. */
  readonly deletedAtMs: number | null
}

/** The server's last known copy: the base of the three-way merge. */
export interface SyncedWorkspace {
  readonly owner: string
  readonly workspace: string
  readonly name: string
  /** The server's, of which `document` is. */
  readonly revision: number
  readonly document: StudioDocument
  readonly deleted: boolean
  /** The local revision that equals the server's; -1 for none. */
  readonly localRevision: number
  /** The document of a save without an answer: the server may have it. */
  readonly sent: StudioDocument | null
}

interface StoreSchema extends DBSchema {
  works: { key: [string, string]; value: StoredWorkspace; indexes: { owner: string } }
  synced: { key: [string, string]; value: SyncedWorkspace }
  /** Undo of a workspace. Validated when it is read. */
  histories: {
    key: [string, string]
    value: { readonly owner: string; readonly workspace: string; readonly history: History }
  }
  /** The workspace that was open last. */
  opened: { key: string; value: { readonly owner: string; readonly workspace: string } }
  /** Data that could not be parsed, as found. */
  unreadable: {
    key: number
    value: { readonly owner: string; readonly foundAtMs: number; readonly work: unknown }
  }
}

export type WorkspaceStore = IDBPDatabase<StoreSchema>

/** Opens the browser's storage. Rejects where there is none, for instance in some private windows. */
export async function openWorkspaceStore(): Promise<WorkspaceStore> {
  const store = await openDB<StoreSchema>('weft-studio', 3, {
    async upgrade(database, before, _after, transaction) {
      database.createObjectStore('histories', { keyPath: ['owner', 'workspace'] })
      if (before === 2) return
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
          ...(work as StoredWorkspace),
          workspace: newId(),
          name: DEFAULT_NAME,
          deletedAtMs: null,
        })
      }
    },
    blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
  })
  await storeLeftWork(store)
  return store
}

/** Notifies other tabs of changed workspaces of an owner; the message is the id. */
export function workspaceChannel(owner: string): BroadcastChannel {
  return openTabChannel(`weft-studio/${owner}`)
}

/** Removes every workspace of an account from this browser. Never throws: there may be no storage. */
export async function deleteStoredWorkspaces(account: string): Promise<void> {
  const owner = account.toLowerCase()
  forgetLeftWork(owner)
  try {
    const works = await openWorkspaceStore()
    const transaction = works.transaction(['works', 'synced', 'histories', 'opened'], 'readwrite')
    for (const name of ['works', 'synced', 'histories'] as const) {
      const store = transaction.objectStore(name)
      for (const key of await store.getAllKeys()) if (key[0] === owner) await store.delete(key)
    }
    await transaction.objectStore('opened').delete(owner)
    await transaction.done
    works.close()
  } catch {
    // Without storage there is nothing to delete.
  }
}

/**
 * Of works in `localStorage`. A browser may drop the transactions of a page that ends, also committed ones; these it keeps,
 * and the next page that opens the storage writes them.
 */
const LEFT_PREFIX = 'weft-studio-left/'

/** Keeps the work of a page that is about to end. Without room for it, its transaction is all there is. */
export function keepLeftWork(work: StoredWorkspace): void {
  try {
    localStorage.setItem(`${LEFT_PREFIX}${work.owner}/${work.workspace}`, JSON.stringify(work))
  } catch {
    // Full or unavailable.
  }
}

/** Writes what ended pages left, unless something newer is stored. */
async function storeLeftWork(store: WorkspaceStore): Promise<void> {
  for (const key of leftKeys()) {
    try {
      const left = JSON.parse(localStorage.getItem(key) ?? 'null') as StoredWorkspace
      const works = store.transaction('works', 'readwrite')
      const stored = await works.store.get([left.owner, left.workspace])
      if ((stored?.revision ?? 0) < left.revision) await works.store.put(left)
      await works.done
    } catch {
      // Not written by a version that is known here.
    }
    browserMemory.write(key, undefined)
  }
}

/** @param owner Whose works are forgotten. */
function forgetLeftWork(owner: string): void {
  for (const key of leftKeys())
    if (key.startsWith(`${LEFT_PREFIX}${owner}/`)) browserMemory.write(key, undefined)
}

function leftKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(LEFT_PREFIX))
  } catch {
    return []
  }
}
