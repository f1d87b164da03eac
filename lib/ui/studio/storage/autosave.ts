import { newId } from '../document/ids.ts'
import { merge } from '../document/merge.ts'
import { same } from '../document/same.ts'
import type { StudioStore } from '../document/store.ts'
import { EMPTY_DOCUMENT, type StudioDocument, type StudioView } from '../document/types.ts'
import { readWork } from './read-work.ts'
import { FIRST_NAME, openWorks, type StoredWork, type Works, worksChannel } from './works.ts'

/** Rest after the last change, and the longest time a change waits while changes go on; both below 500 ms. */
const REST_MS = 150
const AT_MOST_MS = 350

export type SaveState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'saved'; readonly atMs: number | undefined }
  | { readonly kind: 'saving' }
  /** This browser keeps nothing, or no more. The work lives as long as the page. */
  | { readonly kind: 'failing'; readonly why: string }

export interface Autosave {
  getState(): SaveState
  subscribe(listener: () => void): () => void
  /** What was stored but could not be read, as text; undefined normally. */
  unreadable(): string | undefined
  /** Writes what is not written yet. */
  flush(): Promise<void>
  stop(): void
}

/**
 * Restores a workspace into the store and keeps it saved in IndexedDB. Tabs of one browser agree: each save starts
 * from what is stored, and tells the others, which take it in. What comes from the server arrives the same way.
 */
export function startAutosave(store: StudioStore, owner: string, workspace: string): Autosave {
  let works: Works | undefined
  let state: SaveState = { kind: 'opening' }
  let broken: string | undefined
  let stopped = false
  /** What is stored, as far as this tab knows. */
  let known: { revision: number; document: StudioDocument; view: StudioView } | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitingSince: number | undefined
  let running: Promise<void> = Promise.resolve()
  const listeners = new Set<() => void>()
  const channel = worksChannel(owner)

  const set = (next: SaveState) => {
    state = next
    for (const listener of [...listeners]) listener()
  }
  const fail = (error: unknown) =>
    set({ kind: 'failing', why: error instanceof Error ? error.message : String(error) })

  const dirty = () => {
    const { document, view } = store.getState()
    return known !== undefined && (document !== known.document || view !== known.view)
  }

  /** Takes in what was stored elsewhere, without losing what was done here. */
  const absorb = (stored: StoredWork) => {
    const base = known?.document ?? EMPTY_DOCUMENT
    const before = store.getState().document
    const merged = merge(base, before, stored.document, newId)
    if (merged !== before) store.edit('Change made elsewhere', () => merged, { merge: 'elsewhere' })
    // What says the same is nothing to write: a write would bring back what was deleted meanwhile.
    const document = same(merged, stored.document) ? merged : stored.document
    known = { revision: stored.revision, document, view: known?.view ?? stored.view }
  }

  const write = async () => {
    if (works === undefined || known === undefined) return
    if (!dirty()) {
      // Undone again before it was written.
      if (state.kind === 'saving') set({ kind: 'saved', atMs: undefined })
      return
    }
    if (state.kind !== 'saving') set({ kind: 'saving' })
    const transaction = works.transaction('works', 'readwrite', { durability: 'relaxed' })
    const stored = await transaction.store.get([owner, workspace])
    if (stored !== undefined && stored.revision > known.revision) absorb(stored)
    const { document, view } = store.getState()
    const revision = Math.max(stored?.revision ?? 0, known.revision) + 1
    const savedAtMs = Date.now()
    // Whoever goes on working on what was deleted elsewhere brings it back.
    const deletedAtMs = document === known.document ? (stored?.deletedAtMs ?? null) : null
    const name = stored?.name ?? FIRST_NAME
    await transaction.store.put({
      owner,
      workspace,
      name,
      revision,
      savedAtMs,
      document,
      view,
      deletedAtMs,
    })
    await transaction.done
    known = { revision, document, view }
    channel.postMessage(workspace)
    if (!stopped) set({ kind: 'saved', atMs: savedAtMs })
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
    if (state.kind === 'saved') set({ kind: 'saving' })
    const now = performance.now()
    waitingSince ??= now
    clearTimeout(timer)
    timer = setTimeout(flush, Math.min(REST_MS, Math.max(0, waitingSince + AT_MOST_MS - now)))
  }

  const catchUp = () =>
    enqueue(async () => {
      if (works === undefined || known === undefined) return
      const stored = await works.get('works', [owner, workspace])
      if (stored !== undefined && stored.revision > known.revision) absorb(stored)
    })

  const hidden = () => (globalThis.document.visibilityState === 'hidden' ? flush() : catchUp())

  enqueue(async () => {
    works = await openWorks()
    const read = await readWork(works, owner, workspace)
    if (read.found === 'work') {
      const { work } = read
      known = { revision: work.revision, document: work.document, view: work.view }
      if (!stopped) store.replace(work.document, work.view)
    } else {
      if (read.found === 'unreadable') broken = read.text
      const { view } = store.getState()
      known = { revision: 0, document: EMPTY_DOCUMENT, view }
    }
    set({ kind: 'saved', atMs: read.found === 'work' ? read.work.savedAtMs : undefined })
    changed()
  })

  const unsubscribe = store.subscribe(changed)
  channel.onmessage = ({ data }) => {
    if (data === workspace) void catchUp()
  }
  globalThis.document.addEventListener('visibilitychange', hidden)
  globalThis.addEventListener('pagehide', flush)

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    unreadable: () => broken,
    flush,
    stop() {
      stopped = true
      unsubscribe()
      globalThis.document.removeEventListener('visibilitychange', hidden)
      globalThis.removeEventListener('pagehide', flush)
      void flush().then(() => {
        channel.close()
        works?.close()
      })
    },
  }
}
