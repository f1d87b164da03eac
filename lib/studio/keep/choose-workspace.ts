import { tabMemory } from '#lib/browser/memory.ts'
import type { WorkspaceServer } from './server.ts'
import { VISITOR, type WorkspaceStore } from './workspace-store.ts'

/** Timeout for the server's list when this browser has no workspace. */
const TIMEOUT_MS = 4_000

/** The workspace that a page begins with; undefined when there is none yet. */
export async function chooseWorkspace({
  workspaces,
  owner,
  server,
  fetched,
  adoptVisitorWorkspaces,
  adoptOpen,
}: {
  readonly workspaces: WorkspaceStore
  readonly owner: string
  readonly server: WorkspaceServer | undefined
  readonly fetched: (id: string) => Promise<void>
  /** Moves the visitor's workspaces to the owner. */
  readonly adoptVisitorWorkspaces: () => Promise<void>
  /** Moves the one that is open, and returns its id; undefined for none. */
  readonly adoptOpen: () => Promise<string | undefined>
}): Promise<string | undefined> {
  // A sign-in leaves the open workspace open.
  const open = await adoptOpen()
  if (open !== undefined) {
    await rememberOpened(workspaces, owner, open)
    return open
  }
  const here = await newestHere(workspaces, owner)
  if (here.length > 0) {
    const before = [tabMemory.read(sessionKey(owner)), (await workspaces.get('opened', owner))?.workspace]
    return before.find((id) => id !== undefined && here.includes(id)) ?? (here[0] as string)
  }
  const there = server && (await Promise.race([newestThere(server), after(TIMEOUT_MS)]))
  if (there !== undefined) {
    try {
      await fetched(there)
      return there
    } catch {
      // It stays on the server, in the list.
    }
  }
  // The first work of an account is what its owner made before signing in.
  if (owner !== VISITOR && there === undefined) {
    await adoptVisitorWorkspaces()
    return (await newestHere(workspaces, owner))[0]
  }
  return undefined
}

/** Notes what is open, for the next page and for a reload of this one. */
export async function rememberOpened(
  workspaces: WorkspaceStore,
  owner: string,
  workspace: string,
): Promise<void> {
  tabMemory.write(sessionKey(owner), workspace)
  await workspaces.put('opened', { owner, workspace })
}

async function newestHere(workspaces: WorkspaceStore, owner: string): Promise<string[]> {
  const all = await workspaces.getAllFromIndex('works', 'owner', owner)
  return all
    .filter(({ deletedAtMs }) => (deletedAtMs ?? null) === null)
    .toSorted((a, b) => b.savedAtMs - a.savedAtMs)
    .map(({ workspace }) => workspace)
}

async function newestThere(server: WorkspaceServer): Promise<string | undefined> {
  try {
    return (await server.list()).find(({ deletedAtMs }) => deletedAtMs === null)?.id
  } catch {
    return undefined
  }
}

function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function sessionKey(owner: string): string {
  return `weft-workspace/${owner}`
}
