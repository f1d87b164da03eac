import { NoAnswer, Refusal } from '../../wallet/session/requests.ts'
import { type Remote, TooNew, type WorkspaceServer } from './server.ts'
import { syncWorkspace } from './sync-workspace.ts'
import type { Works } from './works.ts'

/** Rest after the last change before it goes to the server, and the longest time a change waits. */
const REST_MS = 1_000
const AT_MOST_MS = 5_000

/** How often somebody who looks at the page is asked for what other devices did. */
const LOOK_EVERY_MS = 30_000

const RETRY_FIRST_MS = 3_000
const RETRY_LAST_MS = 60_000

export type SyncStatus =
  /** There are changes, or it is not known yet. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'done' }
  /** The server cannot be reached; tried again by itself. */
  | { readonly kind: 'offline' }
  /** Nobody, or somebody else, is signed in by now. */
  | { readonly kind: 'signed_out' }
  /** The server keeps something of it no longer, and says why. */
  | { readonly kind: 'refused'; readonly why: string }

export interface SyncState {
  readonly status: SyncStatus
  /** As the server listed them last. */
  readonly remote: readonly Remote[]
  /** Entries that were changed in two places and are there twice now; of the last time that happened. */
  readonly copies: readonly string[]
}

export interface Sync {
  getState(): SyncState
  /** There is something new to keep. */
  changed(): void
  /** Brings both together at once. */
  now(): Promise<void>
  stop(): void
}

/**
 * Keeps an account's workspaces in this browser and on the server the same. The browser's copy comes first: everything
 * works without the server, and goes there when it answers.
 */
export function startSync(parts: {
  readonly works: Works
  readonly server: WorkspaceServer
  readonly owner: string
  readonly tell: (workspace: string) => void
  readonly onChange: () => void
}): Sync {
  const { works, server, owner, tell, onChange } = parts
  let state: SyncState = { status: { kind: 'waiting' }, remote: [], copies: [] }
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitingSince: number | undefined
  let failures = 0
  let running: Promise<void> | undefined
  let again = false
  const stopping = new AbortController()

  const set = (next: Partial<SyncState>) => {
    if (stopping.signal.aborted) return
    state = { ...state, ...next }
    onChange()
  }

  const round = async () => {
    const remote = await server.list()
    let wrote = false
    const noting: WorkspaceServer = {
      ...server,
      save(...args) {
        wrote = true
        return server.save(...args)
      },
      remove(...args) {
        wrote = true
        return server.remove(...args)
      },
      restore(...args) {
        wrote = true
        return server.restore(...args)
      },
    }
    const copies: string[] = []
    let refused: string | undefined
    for (const { workspace } of await works.getAllFromIndex('works', 'owner', owner)) {
      const found = remote.find(({ id }) => id === workspace)
      const here = { works, server: noting, owner, workspace, tell: () => tell(workspace) }
      try {
        copies.push(...(await syncWorkspace(here, found)))
      } catch (error) {
        // One that is too large must not keep the others back.
        refused = refusalOf(error)
        if (refused === undefined) throw error
      }
    }
    failures = 0
    const status: SyncStatus =
      again || timer !== undefined
        ? { kind: 'waiting' }
        : refused === undefined
          ? { kind: 'done' }
          : { kind: 'refused', why: refused }
    set({ status, remote: wrote ? await server.list() : remote, ...(copies.length > 0 && { copies }) })
  }

  const run = async () => {
    do {
      again = false
      clearTimeout(timer)
      timer = undefined
      waitingSince = undefined
      try {
        await aloneFor(owner, stopping.signal, round)
      } catch (error) {
        if (stopping.signal.aborted) return
        if (isSignedOut(error)) set({ status: { kind: 'signed_out' } })
        else {
          set({ status: { kind: 'offline' } })
          const delay = Math.min(RETRY_LAST_MS, RETRY_FIRST_MS * 2 ** failures)
          failures++
          timer = setTimeout(now, delay)
        }
        return
      }
    } while (again && !stopping.signal.aborted)
  }

  const now = (): Promise<void> => {
    if (running === undefined) {
      running = run().finally(() => {
        running = undefined
      })
    } else again = true
    return running
  }

  const changed = () => {
    if (state.status.kind === 'done') set({ status: { kind: 'waiting' } })
    if (state.status.kind === 'offline' && timer !== undefined) return
    const time = performance.now()
    waitingSince ??= time
    clearTimeout(timer)
    timer = setTimeout(now, Math.min(REST_MS, Math.max(0, waitingSince + AT_MOST_MS - time)))
  }

  const look = () => {
    if (document.visibilityState === 'visible' || state.status.kind === 'waiting') void now()
  }
  const wentOffline = () => set({ status: { kind: 'offline' } })
  const every = setInterval(() => {
    if (document.visibilityState === 'visible' && state.status.kind !== 'offline') void now()
  }, LOOK_EVERY_MS)
  document.addEventListener('visibilitychange', look)
  window.addEventListener('online', now)
  window.addEventListener('offline', wentOffline)
  void now()

  return {
    getState: () => state,
    changed,
    now,
    stop() {
      stopping.abort()
      clearTimeout(timer)
      clearInterval(every)
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('online', now)
      window.removeEventListener('offline', wentOffline)
    },
  }
}

/** One tab of the browser at a time. */
function aloneFor(owner: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  return navigator.locks.request(`weft-workspaces-${owner}`, { signal }, work)
}

function isSignedOut(error: unknown): boolean {
  return error instanceof Refusal && (error.status === 401 || error.status === 403)
}

function refusalOf(error: unknown): string | undefined {
  if (error instanceof TooNew) {
    return 'A newer version of the studio saved a workspace of this account. Reload the page to go on.'
  }
  if (error instanceof NoAnswer || isSignedOut(error) || !(error instanceof Refusal)) return undefined
  return error.status < 500 ? error.message : undefined
}
