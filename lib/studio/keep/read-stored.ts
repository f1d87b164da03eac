import { normalise } from '../document/normalise.ts'
import { documentSchema, viewSchema } from '../document/schema.ts'
import { EMPTY_VIEW, newId, type StudioDocument } from '../document/types.ts'
import type { StoredWorkspace, WorkspaceStore } from './workspace-store.ts'

export type StoredRead =
  | { readonly kind: 'work'; readonly work: StoredWorkspace }
  | { readonly kind: 'nothing' }
  /** Stored text is not a document that is known here. It has been put aside. */
  | { readonly kind: 'unreadable'; readonly text: string }

/** Stored state of a workspace, fit for use. */
export async function readStored(
  workspaces: WorkspaceStore,
  owner: string,
  workspace: string,
): Promise<StoredRead> {
  const stored: StoredWorkspace | undefined = await workspaces.get('works', [owner, workspace])
  if (stored === undefined) return { kind: 'nothing' }
  const work = checked(stored)
  if (work !== undefined) return { kind: 'work', work }
  const transaction = workspaces.transaction(['works', 'unreadable'], 'readwrite')
  await Promise.all([
    transaction.objectStore('unreadable').add({ owner, foundAtMs: Date.now(), work: stored }),
    transaction.objectStore('works').delete([owner, workspace]),
    transaction.done,
  ])
  return { kind: 'unreadable', text: JSON.stringify(stored, null, 2) }
}

/** A document from outside, fit for use; undefined when it is none that this version knows. */
export function readDocument(from: unknown): StudioDocument | undefined {
  const read = documentSchema.safeParse(from)
  return read.success ? normalise(read.data, EMPTY_VIEW, newId).document : undefined
}

/** Another version of the page may have written it. */
function checked(stored: StoredWorkspace): StoredWorkspace | undefined {
  const { revision, savedAtMs, document, view } = stored as Partial<Record<keyof StoredWorkspace, unknown>>
  const read = documentSchema.safeParse(document)
  const readView = viewSchema.safeParse(view)
  if (!read.success || !Number.isSafeInteger(revision) || !Number.isFinite(savedAtMs)) return undefined
  return { ...stored, ...normalise(read.data, readView.success ? readView.data : EMPTY_VIEW, newId) }
}
