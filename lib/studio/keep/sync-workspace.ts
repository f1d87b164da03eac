import { Refusal } from '#lib/browser/requests.ts'
import { merge } from '../document/merge.ts'
import { same } from '../document/same.ts'
import { EMPTY_DOCUMENT, newId } from '../document/types.ts'
import { readDocument } from './read-stored.ts'
import type { Head, Remote, WorkspaceServer } from './server.ts'
import {
  DEFAULT_NAME,
  type StoredWorkspace,
  type SyncedWorkspace,
  type WorkspaceStore,
} from './workspace-store.ts'

interface Parts {
  readonly workspaces: WorkspaceStore
  readonly server: WorkspaceServer
  readonly owner: string
  readonly workspace: string
  /** Called when this browser's copy has changed. */
  readonly notify: () => void
}

/** Conflicts after which a sync ends until later. */
const MAX_ROUNDS = 5

/**
 * Syncs this browser's copy of a workspace with the server's: changes of both are merged by entry; an entry changed in
 * both is duplicated. Callers hold a lock of the owner.
 *
 * @param remote Undefined when the server has none.
 * @returns names of entries that are copies now.
 * @throws Refusal, NoAnswer, TooNew
 */
export async function syncWorkspace(parts: Parts, remote: Remote | undefined): Promise<readonly string[]> {
  const { server, workspace } = parts
  const copies: string[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const state = await read(parts)
    if (state === undefined || readDocument(state.work.document) === undefined) break
    if (await syncDeletion(parts, state, remote)) break
    const { base } = (await read(parts)) ?? state
    if (remote !== undefined && remote.revision !== base.revision) {
      if (remote.deletedAtMs !== null) await server.restore(workspace)
      copies.push(...(await mergeRemote(parts, await server.read(workspace))))
    }
    if (await send(parts, remote)) break
    remote = (await server.list()).find(({ id }) => id === workspace)
  }
  return copies
}

interface State {
  readonly work: StoredWorkspace
  readonly base: SyncedWorkspace
}

async function read({ workspaces, owner, workspace }: Parts): Promise<State | undefined> {
  const transaction = workspaces.transaction(['works', 'synced'])
  const [work, base] = await Promise.all([
    transaction.objectStore('works').get([owner, workspace]),
    transaction.objectStore('synced').get([owner, workspace]),
  ])
  return work && { work, base: base ?? emptyBase(owner, workspace) }
}

function emptyBase(owner: string, workspace: string): SyncedWorkspace {
  return {
    owner,
    workspace,
    name: DEFAULT_NAME,
    revision: 0,
    document: EMPTY_DOCUMENT,
    deleted: false,
    localRevision: -1,
    sent: null,
  }
}

/** @returns whether the workspace is deleted on both sides now. */
async function syncDeletion(
  { workspaces, server, owner, workspace, notify }: Parts,
  { work, base }: State,
  remote: Remote | undefined,
): Promise<boolean> {
  const here = work.deletedAtMs !== null
  if (remote === undefined) {
    // Never synced, or deleted permanently; work that is not deleted here is uploaded again.
    if (here && base.revision > 0) {
      await workspaces.delete('works', [owner, workspace])
      await workspaces.delete('histories', [owner, workspace])
    }
    await workspaces.delete('synced', [owner, workspace])
    return here
  }
  const there = remote.deletedAtMs !== null
  if (here !== base.deleted) {
    if (here && !there) await server.remove(workspace)
    if (!here && there) await server.restore(workspace)
    await workspaces.put('synced', { ...base, deleted: here })
    return here
  }
  if (there !== base.deleted && !(there && differs(work, base))) {
    await workspaces.put('synced', { ...base, deleted: there })
    const transaction = workspaces.transaction('works', 'readwrite')
    const now = await transaction.store.get([owner, workspace])
    if (now) await transaction.store.put({ ...now, deletedAtMs: remote.deletedAtMs })
    await transaction.done
    notify()
    return there
  }
  return here
}

/** Merges the server's document into this browser's copy, in one transaction with its base. */
async function mergeRemote(
  { workspaces, owner, workspace, notify }: Parts,
  head: Head,
): Promise<readonly string[]> {
  const transaction = workspaces.transaction(['works', 'synced'], 'readwrite')
  const work = await transaction.objectStore('works').get([owner, workspace])
  if (work === undefined) return []
  const base =
    (await transaction.objectStore('synced').get([owner, workspace])) ?? emptyBase(owner, workspace)
  // A save without an answer that did arrive is the base, not a change of another device.
  const start = same(base.sent, head.document) ? head.document : base.document
  const document = merge(start, work.document, head.document, newId)
  const name = work.name === base.name ? head.name : work.name
  const changed = name !== work.name || !same(document, work.document)
  const revision = changed ? work.revision + 1 : work.revision
  if (changed) await transaction.objectStore('works').put({ ...work, name, document, revision })
  const level = name === head.name && same(document, head.document)
  await transaction.objectStore('synced').put({
    ...base,
    ...head,
    deleted: false,
    localRevision: level ? revision : -1,
    sent: null,
  })
  await transaction.done
  if (changed) notify()
  const before = new Set([...work.document.entries, ...head.document.entries].map(({ id }) => id))
  return document.entries.filter(({ id }) => !before.has(id)).map((entry) => entry.name)
}

/** @returns false when the server has a newer revision. */
async function send(parts: Parts, remote: Remote | undefined): Promise<boolean> {
  const { workspaces, server, workspace } = parts
  const state = await read(parts)
  if (state === undefined) return true
  const { work, base } = state
  const { name, document } = work
  const revived = remote !== undefined && remote.deletedAtMs !== null
  if (!revived && !differs(work, base)) {
    if (base.revision > 0 && base.localRevision !== work.revision) {
      await workspaces.put('synced', { ...base, localRevision: work.revision })
    }
    return true
  }
  await workspaces.put('synced', { ...base, sent: document })
  try {
    const { revision } = await server.save(workspace, { revision: base.revision, name, document })
    const { owner } = parts
    const localRevision = work.revision
    await workspaces.put('synced', {
      ...{ owner, workspace, name, revision, document, localRevision },
      deleted: false,
      sent: null,
    })
    return true
  } catch (error) {
    if (error instanceof Refusal && error.status === 409) return false
    throw error
  }
}

/** Whether this browser has changes that the server lacks. */
function differs(work: StoredWorkspace, base: SyncedWorkspace): boolean {
  if (work.revision === base.localRevision) return false
  return work.name !== base.name || !same(work.document, base.document)
}
