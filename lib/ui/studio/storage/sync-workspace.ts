import { Refusal } from '../../wallet/session/requests.ts'
import { newId } from '../document/ids.ts'
import { merge } from '../document/merge.ts'
import { same } from '../document/same.ts'
import { EMPTY_DOCUMENT } from '../document/types.ts'
import { readDocument } from './read-work.ts'
import type { Head, Remote, WorkspaceServer } from './server.ts'
import { FIRST_NAME, type StoredWork, type SyncedWork, type Works } from './works.ts'

interface Parts {
  readonly works: Works
  readonly server: WorkspaceServer
  readonly owner: string
  readonly workspace: string
  /** This browser's copy has changed. */
  readonly tell: () => void
}

/** How often somebody else may be first before this gives up until later. */
const MOST_ROUNDS = 5

/**
 * Brings this browser's copy of a workspace and the server's together. Changes of both are merged by entry; what both
 * changed is kept twice. One tab at a time may do this for an owner.
 *
 * @param remote What the server has; undefined when it has none.
 * @returns names of entries that are copies now.
 * @throws Refusal, NoAnswer, TooNew
 */
export async function syncWorkspace(parts: Parts, remote: Remote | undefined): Promise<readonly string[]> {
  const { server, workspace } = parts
  const copies: string[] = []
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const state = await read(parts)
    if (state === undefined || readDocument(state.work.document) === undefined) break
    if (await syncDeletion(parts, state, remote)) break
    const { base } = (await read(parts)) ?? state
    if (remote !== undefined && remote.revision !== base.revision) {
      if (remote.deletedAtMs !== null) await server.restore(workspace)
      copies.push(...(await takeIn(parts, await server.read(workspace))))
    }
    if (await send(parts, remote)) break
    remote = (await server.list()).find(({ id }) => id === workspace)
  }
  return copies
}

interface State {
  readonly work: StoredWork
  readonly base: SyncedWork
}

async function read({ works, owner, workspace }: Parts): Promise<State | undefined> {
  const transaction = works.transaction(['works', 'synced'])
  const [work, base] = await Promise.all([
    transaction.objectStore('works').get([owner, workspace]),
    transaction.objectStore('synced').get([owner, workspace]),
  ])
  return work && { work, base: base ?? nothingYet(owner, workspace) }
}

function nothingYet(owner: string, workspace: string): SyncedWork {
  return {
    owner,
    workspace,
    name: FIRST_NAME,
    revision: 0,
    document: EMPTY_DOCUMENT,
    deleted: false,
    localRevision: -1,
    sent: null,
  }
}

/** @returns whether the workspace is deleted on both sides now. */
async function syncDeletion(
  { works, server, owner, workspace, tell }: Parts,
  { work, base }: State,
  remote: Remote | undefined,
): Promise<boolean> {
  const here = work.deletedAtMs !== null
  if (remote === undefined) {
    // Never there, or gone for good; what is still wanted here goes there anew.
    if (here && base.revision > 0) await works.delete('works', [owner, workspace])
    await works.delete('synced', [owner, workspace])
    return here
  }
  const there = remote.deletedAtMs !== null
  if (here !== base.deleted) {
    if (here && !there) await server.remove(workspace)
    if (!here && there) await server.restore(workspace)
    await works.put('synced', { ...base, deleted: here })
    return here
  }
  if (there !== base.deleted && !(there && differs(work, base))) {
    await works.put('synced', { ...base, deleted: there })
    const transaction = works.transaction('works', 'readwrite')
    const now = await transaction.store.get([owner, workspace])
    if (now) await transaction.store.put({ ...now, deletedAtMs: remote.deletedAtMs })
    await transaction.done
    tell()
    return there
  }
  return here
}

/** What the server has comes into this browser's copy, in one transaction with the note of what that was. */
async function takeIn({ works, owner, workspace, tell }: Parts, head: Head): Promise<readonly string[]> {
  const transaction = works.transaction(['works', 'synced'], 'readwrite')
  const work = await transaction.objectStore('works').get([owner, workspace])
  if (work === undefined) return []
  const base =
    (await transaction.objectStore('synced').get([owner, workspace])) ?? nothingYet(owner, workspace)
  // A save that nobody answered, but that arrived, is no change of somebody else.
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
  if (changed) tell()
  const before = new Set([...work.document.entries, ...head.document.entries].map(({ id }) => id))
  return document.entries.filter(({ id }) => !before.has(id)).map((entry) => entry.name)
}

/** @returns false when somebody else was first. */
async function send(parts: Parts, remote: Remote | undefined): Promise<boolean> {
  const { works, server, workspace } = parts
  const state = await read(parts)
  if (state === undefined) return true
  const { work, base } = state
  const { name, document } = work
  const revived = remote !== undefined && remote.deletedAtMs !== null
  if (!revived && !differs(work, base)) {
    if (base.revision > 0 && base.localRevision !== work.revision) {
      await works.put('synced', { ...base, localRevision: work.revision })
    }
    return true
  }
  await works.put('synced', { ...base, sent: document })
  try {
    const { revision } = await server.save(workspace, { revision: base.revision, name, document })
    const { owner } = parts
    const localRevision = work.revision
    await works.put('synced', {
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

/** Whether this browser has what the server has not. */
function differs(work: StoredWork, base: SyncedWork): boolean {
  if (work.revision === base.localRevision) return false
  return work.name !== base.name || !same(work.document, base.document)
}
