import { createValue, type Readable } from '#lib/browser/value.ts'
import { merge } from '../document/merge.ts'
import { same } from '../document/same.ts'
import type { StudioStore } from '../document/store.ts'
import { EMPTY_DOCUMENT, newId, type StudioDocument } from '../document/types.ts'
import { readStored } from './read-stored.ts'
import { bounded, restoredHistory } from './stored-history.ts'
import {
  DEFAULT_NAME,
  keepLeftWork,
  openWorkspaceStore,
  type StoredWorkspace,
  type WorkspaceStore,
  workspaceChannel,
} from './workspace-store.ts'

/** Debounce after the last change, and the maximum delay while changes go on; both below 500 ms. */
const DEBOUNCE_MS = 150
const MAX_DELAY_MS = 350

export type SaveState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'saved'; readonly atMs: number | undefined }
  | { readonly kind: 'saving' }
  /** The browser's storage is unavailable or full: the document is in memory only. */
  | { readonly kind: 'failing'; readonly full: boolean; readonly why: string }

export interface Autosave extends Readable<SaveState> {
  /** Stored data that could not be parsed, as text. */
  unreadable(): string | undefined
  /** Writes what is not written yet. */
  flush(): Promise<void>
  /**
   * Writes it, and nothing after it.
   *
   * @returns what is stored then, or the document where nothing can be stored; undefined before it was open.
   */
  stop(): Promise<StudioDocument | undefined>
}

type Known = Pick<StoredWorkspace, 'name' | 'revision' | 'document' | 'view' | 'deletedAtMs'>

/**
 * Loads a workspace into the store and saves it to IndexedDB. Each save merges what other tabs or the sync have
 * stored, and notifies them.
 *
 * @param living What is stored there as far as its reader knows: where it is, the document in the store goes on from it
 *   with its undo, view and selection, and nothing is loaded.
 */
export function startAutosave(
  store: StudioStore,
  owner: string,
  workspace: string,
  living?: StudioDocument,
): Autosave {
  let workspaces: WorkspaceStore | undefined
  const state = createValue<SaveState>({ kind: living === undefined ? 'opening' : 'saving' })
  let broken: string | undefined
  let stopped = false
  /** Stored state, as far as this tab knows. */
  let known: Known | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitingSince: number | undefined
  let running: Promise<void> = Promise.resolve()
  const channel = workspaceChannel(owner)

  const fail = (error: unknown) =>
    state.setState({
      kind: 'failing',
      full: error instanceof Error && error.name === 'QuotaExceededError',
      why: error instanceof Error ? error.message : String(error),
    })

  const dirty = () => {
    const { document, view } = store.getState()
    return known !== undefined && (document !== known.document || view !== known.view)
  }

  /** Merges what was stored elsewhere. */
  const mergeStored = (stored: StoredWorkspace) => {
    const base = known?.document ?? EMPTY_DOCUMENT
    const before = store.getState().document
    const merged = merge(base, before, stored.document, newId)
    if (merged !== before) store.edit('Change made elsewhere', () => merged, { merge: 'elsewhere' })
    // Equal content is not written: a write would revive a workspace deleted meanwhile.
    const document = same(merged, stored.document) ? merged : stored.document
    known = { ...stored, document, view: known?.view ?? stored.view }
  }

  const write = async () => {
    if (workspaces === undefined || known === undefined) return
    if (!dirty()) {
      // Undone again before it was written.
      if (state.getState().kind === 'saving') state.setState({ kind: 'saved', atMs: undefined })
      return
    }
    if (state.getState().kind !== 'saving') state.setState({ kind: 'saving' })
    const transaction = workspaces.transaction(['works', 'histories'], 'readwrite', {
      durability: 'relaxed',
    })
    // It fails with its first write, which is awaited.
    transaction.done.catch(() => {})
    const works = transaction.objectStore('works')
    const stored = await works.get([owner, workspace])
    if (stored !== undefined && stored.revision > known.revision) mergeStored(stored)
    const { document, view } = store.getState()
    const revision = Math.max(stored?.revision ?? 0, known.revision) + 1
    const savedAtMs = Date.now()
    // Editing a workspace deleted elsewhere revives it.
    const deletedAtMs = document === known.document ? (stored?.deletedAtMs ?? null) : null
    const name = stored?.name ?? DEFAULT_NAME
    await works.put({
      owner,
      workspace,
      name,
      revision,
      savedAtMs,
      document,
      view,
      deletedAtMs,
    })
    const history = bounded(store.history())
    await transaction.objectStore('histories').put({ owner, workspace, history })
    await transaction.done
    known = { name, deletedAtMs, revision, document, view }
    channel.postMessage(workspace)
    if (!stopped) state.setState({ kind: 'saved', atMs: savedAtMs })
  }

  /**
   * Writes in one turn, for a page that is about to end: nothing that it waits for would come back. What another tab
   * stored a moment ago is not merged.
   */
  const writeAtEnd = () => {
    if (workspaces === undefined || known === undefined || !dirty()) return
    const { document, view } = store.getState()
    const { name, revision } = known
    const deletedAtMs = document === known.document ? known.deletedAtMs : null
    known = { name, deletedAtMs, revision: revision + 1, document, view }
    const work = { owner, workspace, ...known, savedAtMs: Date.now() }
    keepLeftWork(work)
    try {
      const transaction = workspaces.transaction(['works', 'histories'], 'readwrite')
      const history = bounded(store.history())
      void transaction.objectStore('works').put(work).catch(fail)
      void transaction.objectStore('histories').put({ owner, workspace, history }).catch(fail)
      transaction.done.catch(fail)
      transaction.commit()
      channel.postMessage(workspace)
    } catch (error) {
      fail(error)
    }
  }

  const enqueue = (task: () => Promise<void>): Promise<void> => {
    running = running.then(task).catch(fail)
    return running
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    waitingSince = undefined
    return enqueue(write)
  }

  const changed = () => {
    if (!dirty()) return
    if (state.getState().kind === 'saved') state.setState({ kind: 'saving' })
    const now = performance.now()
    waitingSince ??= now
    clearTimeout(timer)
    timer = setTimeout(flush, Math.min(DEBOUNCE_MS, Math.max(0, waitingSince + MAX_DELAY_MS - now)))
  }

  const readChanges = () =>
    enqueue(async () => {
      if (workspaces === undefined || known === undefined) return
      const stored = await workspaces.get('works', [owner, workspace])
      if (stored !== undefined && stored.revision > known.revision) mergeStored(stored)
    })

  const hidden = () => (globalThis.document.visibilityState === 'hidden' ? flush() : readChanges())

  enqueue(async () => {
    workspaces = await openWorkspaceStore()
    const read = await readStored(workspaces, owner, workspace)
    if (read.kind === 'work' && living !== undefined && same(read.work.document, living)) {
      known = { ...read.work, document: living }
    } else if (read.kind === 'work') {
      const { work } = read
      const history = restoredHistory(
        (await workspaces.get('histories', [owner, workspace]))?.history,
        work.document,
      )
      // Left before it was open: the store holds nothing of it, and would be written over it.
      if (stopped) return
      known = { ...work, document: history.present }
      store.replace(history, work.view)
    } else {
      if (read.kind === 'unreadable') broken = read.text
      const { view } = store.getState()
      known = { name: DEFAULT_NAME, deletedAtMs: null, revision: 0, document: EMPTY_DOCUMENT, view }
    }
    state.setState({ kind: 'saved', atMs: read.kind === 'work' ? read.work.savedAtMs : undefined })
    changed()
  })

  const unsubscribe = store.subscribe(changed)
  channel.onmessage = ({ data }) => {
    if (data === workspace) void readChanges()
  }
  globalThis.document.addEventListener('visibilitychange', hidden)
  globalThis.addEventListener('pagehide', writeAtEnd)

  return {
    getState: state.getState,
    subscribe: state.subscribe,
    unreadable: () => broken,
    flush,
    stop() {
      stopped = true
      unsubscribe()
      globalThis.document.removeEventListener('visibilitychange', hidden)
      globalThis.removeEventListener('pagehide', writeAtEnd)
      return flush().then(() => {
        channel.close()
        workspaces?.close()
        return (
          known?.document ?? (state.getState().kind === 'failing' ? store.getState().document : undefined)
        )
      })
    },
  }
}
