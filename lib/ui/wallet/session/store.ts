import type { Memory } from '#lib/browser/memory.ts'
import { createValue, type Readable } from '#lib/browser/value.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { SiteSession } from './requests.ts'

/**
 * The session of this page.
 *
 * - `unknown`: not fetched yet; `guess` is the account of the last page.
 * - `visitor`: not signed in.
 * - `signed_in`: as `session.address`.
 * - `switched`: the wallet has another account. Nothing of either is shown until one is chosen.
 */
export type SessionState =
  | { readonly status: 'unknown'; readonly guess: Address | undefined }
  | { readonly status: 'visitor' }
  | { readonly status: 'signed_in'; readonly session: SiteSession }
  | { readonly status: 'switched'; readonly session: SiteSession; readonly wallet: Address }

export interface SessionSource {
  fetchSession(): Promise<SiteSession | undefined>
  endSession(): Promise<void>
}

/** Synchronises tabs; a `BroadcastChannel`. */
export interface TabChannel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  removeEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  close(): void
}

export interface SessionStore extends Readable<SessionState> {
  /** Fetches the session. The state is unchanged on failure. */
  refresh(): Promise<void>
  /** Stores a session from the server and broadcasts it to other tabs. */
  accept(session: SiteSession | undefined): void
  /** Ends the session everywhere. @throws Refusal, NoAnswer */
  signOut(): Promise<void>
  /** Reports the wallet's account; undefined, which changes nothing, while it is locked. */
  walletShows(address: Address | undefined): void
  /** Retains the session's account although the wallet has another. */
  stay(): void
  /** Subscribes to other tabs; returns the unsubscribe function. */
  open(): () => void
}

const GUESS = 'weft-account'
const STAYS = 'weft-account-stays'

/** The session store; its dependencies are passed in for tests. */
export function createSessionStore(parts: {
  readonly source: SessionSource
  readonly memory: Memory
  readonly openChannel: () => TabChannel
}): SessionStore {
  const { source, memory, openChannel } = parts
  let session: SiteSession | undefined
  let wallet: Address | undefined
  const state = createValue<SessionState>({ status: 'unknown', guess: undefined })
  let channel: TabChannel | undefined
  /** Drops responses to requests older than the current state. */
  let edition = 0

  const settle = () => {
    const next = stateOf(session, wallet, memory)
    if (same(state.getState(), next)) return
    memory.write(GUESS, session?.address)
    state.setState(next)
  }
  const set = (next: SiteSession | undefined) => {
    edition++
    session = next
    if (next === undefined) memory.write(STAYS, undefined)
    settle()
  }
  const refresh = async () => {
    const ownEdition = ++edition
    let answer: SiteSession | undefined
    try {
      answer = await source.fetchSession()
    } catch {
      // Offline, or the site restarts: the session stays.
      if (state.getState().status === 'unknown' && ownEdition === edition) set(undefined)
      return
    }
    if (ownEdition === edition) set(answer)
  }
  const notifyTabs = () => channel?.postMessage('changed')

  return {
    getState: state.getState,
    subscribe: state.subscribe,
    refresh,
    accept(next) {
      set(next)
      notifyTabs()
    },
    async signOut() {
      await source.endSession()
      set(undefined)
      notifyTabs()
    },
    walletShows(address) {
      wallet = address
      settle()
    },
    stay() {
      if (session === undefined || wallet === undefined) return
      memory.write(STAYS, `${session.address} ${wallet}`)
      settle()
      notifyTabs()
    },
    open() {
      const guess = memory.read(GUESS)
      if (state.getState().status === 'unknown' && /^0x[0-9a-f]{40}$/.test(guess ?? '')) {
        state.setState({ status: 'unknown', guess: guess as Address })
      }
      const opened = openChannel()
      const onMessage = () => {
        settle()
        void refresh()
      }
      opened.addEventListener('message', onMessage)
      channel = opened
      return () => {
        opened.removeEventListener('message', onMessage)
        opened.close()
        if (channel === opened) channel = undefined
      }
    },
  }
}

function stateOf(
  session: SiteSession | undefined,
  wallet: Address | undefined,
  memory: Memory,
): SessionState {
  if (session === undefined) return { status: 'visitor' }
  const other = wallet !== undefined && wallet !== session.address
  if (other && memory.read(STAYS) !== `${session.address} ${wallet}`) {
    return { status: 'switched', session, wallet }
  }
  return { status: 'signed_in', session }
}

function same(a: SessionState, b: SessionState): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
