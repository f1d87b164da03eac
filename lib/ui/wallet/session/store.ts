import type { Address } from '../../../domain/entity.ts'
import type { SiteSession } from './requests.ts'

/**
 * Who uses this page.
 *
 * - `unknown`: the server has not been asked yet; `guess` is who it was on the last page.
 * - `visitor`: nobody is signed in.
 * - `signed_in`: what is shown and done is `session.address`'s.
 * - `switched`: the wallet has moved on to another account. Nothing of either is shown until its owner has chosen.
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

/** What tabs tell each other; a `BroadcastChannel`. */
export interface TabChannel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  removeEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  close(): void
}

/** Remembers a few texts; `localStorage`, which may be switched off. */
export interface Memory {
  read(key: string): string | undefined
  write(key: string, value: string | undefined): void
}

export interface SessionStore {
  getState(): SessionState
  subscribe(listener: () => void): () => void
  /** Asks the server. Keeps what is known when it does not answer. */
  refresh(): Promise<void>
  /** The server has just said who is signed in; other tabs are told. */
  accept(session: SiteSession | undefined): void
  /** Ends the session everywhere. @throws Refusal, NoAnswer */
  signOut(): Promise<void>
  /** The account that the wallet shows now; undefined while it shows none, which means nothing. */
  walletShows(address: Address | undefined): void
  /** Stays with the session's account although the wallet shows another. */
  stay(): void
  /** Follows other tabs from now on; returns the way to stop. */
  open(): () => void
}

const GUESS = 'weft-account'
const STAYS = 'weft-account-stays'

/** One store a page. The parts it is made of are the browser's own unless a test brings others. */
export function createSessionStore(parts: {
  readonly source: SessionSource
  readonly memory: Memory
  readonly openChannel: () => TabChannel
}): SessionStore {
  const { source, memory, openChannel } = parts
  let session: SiteSession | undefined
  let wallet: Address | undefined
  let state: SessionState = { status: 'unknown', guess: undefined }
  let channel: TabChannel | undefined
  /** Answers that were asked for before something newer was known are dropped. */
  let edition = 0
  const listeners = new Set<() => void>()

  const settle = () => {
    const next = stateOf(session, wallet, memory)
    if (same(state, next)) return
    state = next
    memory.write(GUESS, session?.address)
    for (const listener of [...listeners]) listener()
  }
  const set = (next: SiteSession | undefined) => {
    edition++
    session = next
    if (next === undefined) memory.write(STAYS, undefined)
    settle()
  }
  const refresh = async () => {
    const asked = ++edition
    let answer: SiteSession | undefined
    try {
      answer = await source.fetchSession()
    } catch {
      // Offline, or the site restarts: nobody is signed out by that.
      if (state.status === 'unknown' && asked === edition) set(undefined)
      return
    }
    if (asked === edition) set(answer)
  }
  const tell = () => channel?.postMessage('changed')

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh,
    accept(next) {
      set(next)
      tell()
    },
    async signOut() {
      await source.endSession()
      set(undefined)
      tell()
    },
    walletShows(address) {
      wallet = address
      settle()
    },
    stay() {
      if (session === undefined || wallet === undefined) return
      memory.write(STAYS, `${session.address} ${wallet}`)
      settle()
      tell()
    },
    open() {
      const guess = memory.read(GUESS)
      if (state.status === 'unknown' && /^0x[0-9a-f]{40}$/.test(guess ?? '')) {
        state = { status: 'unknown', guess: guess as Address }
        for (const listener of [...listeners]) listener()
      }
      const opened = openChannel()
      const heard = () => {
        settle()
        void refresh()
      }
      opened.addEventListener('message', heard)
      channel = opened
      return () => {
        opened.removeEventListener('message', heard)
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
