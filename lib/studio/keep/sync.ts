import { browserLock } from '#lib/browser/browser-lock.ts'
import { NoAnswer, Refusal } from '#lib/browser/requests.ts'
import { type Remote, TooNew, type WorkspaceServer } from './server.ts'
import { syncWorkspace } from './sync-workspace.ts'
import type { WorkspaceStore } from './workspace-store.ts'

/** Debounce after the last change, and the maximum delay while changes go on. */
const DEBOUNCE_MS = 1_000
const MAX_DELAY_MS = 5_000

/** Poll interval for changes of other devices, while the page is visible. */
const POLL_MS = 30_000

const RETRY_FIRST_MS = 3_000
const RETRY_LAST_MS = 60_000

export type SyncStatus =
  /** There are changes, or it is not known yet. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'done' }
  /** The server is unreachable; retried automatically. */
  | { readonly kind: 'offline' }
  /** The session has ended or belongs to another account. */
  | { readonly kind: 'signed_out' }
  /** The server refuses a workspace, with its reason. */
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
  /** Schedules a sync after a change. */
  changed(): void
  /** Syncs now. */
  now(): Promise<void>
  stop(): void
}

/** Syncs an account's workspaces with the server. The browser's copy is primary: everything works offline. */
export function startSync(parts: {
  readonly workspaces: WorkspaceStore
  readonly server: WorkspaceServer
  readonly owner: string
  readonly notify: (workspace: string) => void
  readonly onChange: () => void
}): Sync {
  const { workspaces, server, owner, notify, onChange } = parts
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
    const tracking: WorkspaceServer = {
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
    for (const { workspace } of await workspaces.getAllFromIndex('works', 'owner', owner)) {
      const match = remote.find(({ id }) => id === workspace)
      const here = { workspaces, server: tracking, owner, workspace, notify: () => notify(workspace) }
      try {
        copies.push(...(await syncWorkspace(here, match)))
      } catch (error) {
        // A refused workspace does not block the others.
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
        await browserLock(`weft-workspaces-${owner}`).hold(round, stopping.signal)
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
    timer = setTimeout(now, Math.min(DEBOUNCE_MS, Math.max(0, waitingSince + MAX_DELAY_MS - time)))
  }

  const onVisible = () => {
    if (document.visibilityState === 'visible' || state.status.kind === 'waiting') void now()
  }
  const onOffline = () => set({ status: { kind: 'offline' } })
  const every = setInterval(() => {
    if (document.visibilityState === 'visible' && state.status.kind !== 'offline') void now()
  }, POLL_MS)
  document.addEventListener('visibilitychange', onVisible)
  window.addEventListener('online', now)
  window.addEventListener('offline', onOffline)
  void now()

  return {
    getState: () => state,
    changed,
    now,
    stop() {
      stopping.abort()
      clearTimeout(timer)
      clearInterval(every)
      document.removeEventListener('visibilitychange', onVisible)
      window.removeEventListener('online', now)
      window.removeEventListener('offline', onOffline)
    },
  }
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
