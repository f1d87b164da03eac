import { endSession, fetchSession } from './requests.ts'
import { createSessionStore, type Memory, type SessionStore } from './store.ts'

/** `localStorage`; a no-op while unavailable or full. */
export const browserMemory: Memory = {
  read(key) {
    try {
      return localStorage.getItem(key) ?? undefined
    } catch {
      return undefined
    }
  },
  write(key, value) {
    try {
      if (value === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      // See above.
    }
  },
}

/** The session store of this page. */
export const siteSession: SessionStore = createSessionStore({
  source: { fetchSession, endSession },
  memory: browserMemory,
  openChannel: () => new BroadcastChannel('weft-session'),
})

const KEY = 'weft-wallet'

/** The id of the wallet used last: a reverse domain name, `injected`, `burner`, `walletConnect`, `passkey` or `passkey-known`. */
export function rememberedWallet(): string | undefined {
  return browserMemory.read(KEY)
}

export function rememberWallet(id: string | undefined): void {
  browserMemory.write(KEY, id)
}
