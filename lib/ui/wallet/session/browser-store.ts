import { browserMemory } from '#lib/browser/memory.ts'
import { openTabChannel } from '#lib/browser/tab-channel.ts'
import { endSession, fetchSession } from './requests.ts'
import { createSessionStore, type SessionStore } from './store.ts'

/** The session store of this page. */
export const siteSession: SessionStore = createSessionStore({
  source: { fetchSession, endSession },
  memory: browserMemory,
  openChannel: () => openTabChannel('weft-session'),
})

const KEY = 'weft-wallet'

/** The id of the wallet used last: a reverse domain name, `injected`, `burner`, `walletConnect`, `passkey` or `passkey-known`. */
export function rememberedWallet(): string | undefined {
  return browserMemory.read(KEY)
}

export function rememberWallet(id: string | undefined): void {
  browserMemory.write(KEY, id)
}
