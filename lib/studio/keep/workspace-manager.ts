import { createValue, type Readable } from '#lib/browser/value.ts'
import { EMPTY_DOCUMENT, EMPTY_VIEW, newId, type StudioDocument, type StudioView } from '../document/types.ts'
import { chooseWorkspace, rememberOpened } from './choose-workspace.ts'
import type { Remote, WorkspaceServer } from './server.ts'
import { type Sync, type SyncState, startSync } from './sync.ts'
import {
  DEFAULT_NAME,
  openWorkspaceStore,
  type StoredWorkspace,
  VISITOR,
  type WorkspaceStore,
  workspaceChannel,
} from './workspace-store.ts'

/** A workspace in a list. */
export interface WorkspaceItem {
  readonly id: string
  readonly name: string
  /** Undefined for one that only the server has. */
  readonly entries: number | undefined
  readonly savedAtMs: number
}

export interface WorkspacesState {
  /** The workspace that is open; undefined until it is known. */
  readonly current: string | undefined
  /** Newest first. */
  readonly items: readonly WorkspaceItem[]
  readonly deleted: readonly WorkspaceItem[]
  /** Undefined for a visitor, whose work stays in this browser. */
  readonly sync: SyncState | undefined
  /** Workspaces that were made in this browser before signing in, beside those of the account. */
  readonly visitors: number
}

interface Work {
  readonly document: StudioDocument
  readonly view: StudioView
}

const NO_WORK: Work = { document: EMPTY_DOCUMENT, view: EMPTY_VIEW }

/** The workspaces of one owner: which there are, which is open, and what may be done to them. */
export interface WorkspaceManager extends Readable<WorkspacesState> {
  readonly owner: string
  /** @throws Refusal, NoAnswer, TooNew for one that only the server has. */
  open(id: string): Promise<void>
  /** Makes a workspace, under the name or one that is free after it, and opens it. */
  create(name?: string, work?: Work): Promise<void>
  rename(id: string, name: string): Promise<void>
  duplicate(id: string): Promise<void>
  /** Deletes a workspace; it can be restored. Opens another one when it was open. */
  remove(id: string): Promise<void>
  /** @throws Refusal, NoAnswer */
  restore(id: string): Promise<void>
  /** Removes a deleted one for ever. @throws Refusal, NoAnswer */
  removePermanently(id: string): Promise<void>
  /** Moves the visitor's workspaces to this account. */
  adoptVisitorWorkspaces(): Promise<void>
  /** Undefined for a visitor. */
  readonly server: WorkspaceServer | undefined
  /** Schedules a sync after a change. */
  changed(): void
  syncNow(): Promise<void>
  stop(): void
}

/**
 * @param server Undefined for a visitor.
 * @param open A workspace of the visitor that is open: it goes along to this account, and stays open.
 */
export function openWorkspaceManager(
  owner: string,
  server: WorkspaceServer | undefined,
  open?: string,
): WorkspaceManager {
  let workspaces: WorkspaceStore | undefined
  let sync: Sync | undefined
  let stopped = false
  const state = createValue<WorkspacesState>({
    current: undefined,
    items: [],
    deleted: [],
    sync: undefined,
    visitors: 0,
  })
  const channel = workspaceChannel(owner)

  const set = (next: Partial<WorkspacesState>) => {
    if (stopped) return
    state.setState({ ...state.getState(), ...next })
  }

  const list = async () => {
    try {
      await listNow()
    } catch (error) {
      // `stop` closes the database under pending reads.
      if (!stopped) throw error
    }
  }

  const listNow = async () => {
    if (workspaces === undefined || stopped) return
    const here = await workspaces.getAllFromIndex('works', 'owner', owner)
    const visitors = owner === VISITOR ? [] : await workspaces.getAllFromIndex('works', 'owner', VISITOR)
    const remote = sync?.getState().remote ?? []
    const known = new Set(here.map(({ workspace }) => workspace))
    const items = [
      ...here.map((work) => ({ item: itemOf(work), deletedAtMs: work.deletedAtMs ?? null })),
      ...remote
        .filter(({ id }) => !known.has(id))
        .map((each) => ({ item: remoteItem(each), deletedAtMs: each.deletedAtMs })),
    ].toSorted((a, b) => b.item.savedAtMs - a.item.savedAtMs)
    set({
      items: items.flatMap(({ item, deletedAtMs }) => (deletedAtMs === null ? [item] : [])),
      deleted: items.flatMap(({ item, deletedAtMs }) => (deletedAtMs === null ? [] : [item])),
      sync: sync?.getState(),
      visitors: visitors.filter(hasWork).length,
    })
  }

  const notify = (workspace: string) => {
    channel.postMessage(workspace)
    void list()
  }
  const changed = (workspace: string) => {
    notify(workspace)
    sync?.changed()
  }
  const storage = (): WorkspaceStore => {
    if (workspaces === undefined) throw new Error('This browser keeps no workspaces')
    return workspaces
  }

  const change = async (id: string, what: (work: StoredWorkspace) => StoredWorkspace) => {
    const transaction = storage().transaction('works', 'readwrite')
    const work = await transaction.store.get([owner, id])
    if (work) await transaction.store.put({ ...what(work), revision: work.revision + 1 })
    await transaction.done
    changed(id)
    return work
  }

  const show = async (id: string) => {
    await rememberOpened(storage(), owner, id)
    set({ current: id })
  }

  const put = async (name: string, work: Work) => {
    const workspace = newId()
    await storage().put('works', newWork({ owner, workspace, name, ...work }))
    changed(workspace)
    return workspace
  }

  /** The copy of one that only the server has. */
  const fetched = async (id: string) => {
    if (server === undefined || (await storage().get('works', [owner, id])) !== undefined) return
    const { name, revision, document } = await server.read(id)
    const transaction = storage().transaction(['works', 'synced'], 'readwrite')
    const both = { owner, workspace: id, name, document }
    await transaction.objectStore('works').put(newWork({ ...both, view: EMPTY_VIEW }))
    await transaction
      .objectStore('synced')
      .put({ ...both, revision, deleted: false, localRevision: 1, sent: null })
    await transaction.done
    notify(id)
  }

  /**
   * Moves the visitor's workspaces to the owner, with their undo.
   *
   * @param only The one that is moved, under a name of its own; by default all.
   * @returns the id of the one that was moved last.
   */
  const adopt = async (only?: string): Promise<string | undefined> => {
    const transaction = storage().transaction(['works', 'histories'], 'readwrite')
    const [works, histories] = [transaction.objectStore('works'), transaction.objectStore('histories')]
    const own = (await works.index('owner').getAll(owner)).filter((work) => !isDeleted(work))
    let moved: string | undefined
    for (const work of await works.index('owner').getAll(VISITOR)) {
      if (isDeleted(work) || (only !== undefined && work.workspace !== only)) continue
      const undo = await histories.get([VISITOR, work.workspace])
      await works.delete([VISITOR, work.workspace])
      await histories.delete([VISITOR, work.workspace])
      if (!hasWork(work)) continue
      // A tab that was still open may have stored it once more.
      const takenKey = await works.getKey([owner, work.workspace])
      const key = { owner, workspace: takenKey ? newId() : work.workspace }
      await works.put({ ...work, ...key, ...(only && { name: freeName(own, work.name) }) })
      if (undo) await histories.put({ ...undo, ...key })
      moved = key.workspace
    }
    await transaction.done
    return moved
  }

  const manager: WorkspaceManager = {
    getState: state.getState,
    subscribe: state.subscribe,
    owner,
    server,
    async open(id) {
      await fetched(id)
      await show(id)
    },
    async create(name = DEFAULT_NAME, work = NO_WORK) {
      await show(await put(freeName(state.getState().items, name), work))
    },
    async rename(id, name) {
      await fetched(id)
      await change(id, (work) => ({ ...work, name }))
    },
    async duplicate(id) {
      await fetched(id)
      const work = await storage().get('works', [owner, id])
      if (work)
        await put(freeName(state.getState().items, work.name), { document: work.document, view: EMPTY_VIEW })
    },
    async remove(id) {
      if (server !== undefined && (await storage().get('works', [owner, id])) === undefined) {
        await server.remove(id)
        await sync?.now()
      } else await change(id, (work) => ({ ...work, deletedAtMs: Date.now() }))
      await list()
      if (id !== state.getState().current) return
      const next = state.getState().items.find((item) => item.entries !== undefined)
      if (next) await show(next.id)
      else await manager.create()
    },
    async restore(id) {
      if (await storage().get('works', [owner, id]))
        await change(id, (work) => ({ ...work, deletedAtMs: null }))
      else {
        await server?.restore(id)
        await sync?.now()
      }
    },
    async removePermanently(id) {
      await sync?.now()
      await server?.remove(id, true)
      const stores = ['works', 'synced', 'histories'] as const
      const transaction = storage().transaction(stores, 'readwrite')
      for (const name of stores) await transaction.objectStore(name).delete([owner, id])
      await transaction.done
      notify(id)
      await sync?.now()
    },
    async adoptVisitorWorkspaces() {
      await adopt()
      sync?.changed()
      await list()
    },
    changed: () => sync?.changed(),
    syncNow: async () => sync?.now(),
    stop() {
      stopped = true
      sync?.stop()
      channel.close()
      workspaces?.close()
    },
  }

  const start = async () => {
    workspaces = await openWorkspaceStore()
    if (stopped) {
      workspaces.close()
      return
    }
    const workspaceId = await chooseWorkspace({
      workspaces,
      owner,
      server,
      fetched,
      adoptVisitorWorkspaces: manager.adoptVisitorWorkspaces,
      adoptOpen: async () => (open === undefined ? undefined : ((await adopt(open)) ?? open)),
    })
    if (stopped) return
    const current = workspaceId ?? (await put(DEFAULT_NAME, NO_WORK))
    if (server !== undefined)
      sync = startSync({ workspaces, server, owner, notify, onChange: () => void list() })
    await list()
    set({ current })
  }
  channel.onmessage = () => {
    void list()
    sync?.changed()
  }
  // Without storage the document is in memory only; the save status shows it.
  void start().catch(() => set({ current: open ?? newId() }))
  return manager
}

function newWork({
  owner,
  workspace,
  name,
  document,
  view,
}: Pick<StoredWorkspace, 'owner' | 'workspace' | 'name' | 'document' | 'view'>): StoredWorkspace {
  return {
    ...{ owner, workspace, name, document, view },
    ...{ revision: 1, savedAtMs: Date.now(), deletedAtMs: null },
  }
}

function hasWork(work: StoredWorkspace): boolean {
  return work.document?.entries?.length > 0 && !isDeleted(work)
}

function isDeleted({ deletedAtMs }: StoredWorkspace): boolean {
  return (deletedAtMs ?? null) !== null
}

function itemOf({ workspace, name, document, savedAtMs }: StoredWorkspace): WorkspaceItem {
  return { id: workspace, name, entries: document?.entries?.length ?? 0, savedAtMs }
}

function remoteItem({ id, name, updatedAtMs }: Remote): WorkspaceItem {
  return { id, name, entries: undefined, savedAtMs: updatedAtMs }
}

/** `name`, or with a number after it the first that is free. */
function freeName(items: readonly Pick<WorkspaceItem, 'name'>[], name: string): string {
  const names = new Set(items.map((item) => item.name))
  if (!names.has(name)) return name
  const stem = name.replace(/ \d+$/, '')
  for (let number = 2; ; number++) {
    const next = `${stem} ${number}`
    if (!names.has(next)) return next
  }
}
