import type { WorkspaceServer } from './server.ts'
import { VISITOR, type Works } from './works.ts'

/** How long to wait for a list of what an account has when this browser has none of it. */
const PATIENCE_MS = 4_000

/** The workspace that a page begins with; undefined when there is none yet. */
export async function chooseWorkspace({
  works,
  owner,
  server,
  fetched,
  bringVisitors,
}: {
  readonly works: Works
  readonly owner: string
  readonly server: WorkspaceServer | undefined
  readonly fetched: (id: string) => Promise<void>
  /** Gives the visitor's workspaces to the owner. */
  readonly bringVisitors: () => Promise<void>
}): Promise<string | undefined> {
  const here = await newestHere(works, owner)
  if (here.length > 0) {
    const before = [tabMemory(owner), (await works.get('opened', owner))?.workspace]
    return before.find((id) => id !== undefined && here.includes(id)) ?? (here[0] as string)
  }
  const there = server && (await Promise.race([newestThere(server), after(PATIENCE_MS)]))
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
    await bringVisitors()
    return (await newestHere(works, owner))[0]
  }
  return undefined
}

/** Notes what is open, for the next page and for a reload of this one. */
export async function rememberOpened(works: Works, owner: string, workspace: string): Promise<void> {
  try {
    sessionStorage.setItem(tabKey(owner), workspace)
  } catch {
    // Storage may be switched off: then the next page opens what was saved last.
  }
  await works.put('opened', { owner, workspace })
}

async function newestHere(works: Works, owner: string): Promise<string[]> {
  const all = await works.getAllFromIndex('works', 'owner', owner)
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

const tabKey = (owner: string) => `weft-workspace/${owner}`

function tabMemory(owner: string): string | undefined {
  try {
    return sessionStorage.getItem(tabKey(owner)) ?? undefined
  } catch {
    return undefined
  }
}
