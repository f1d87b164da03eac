import type { Provider } from '../../../engine/proof/node.ts'
import { rememberedWallet } from '../../wallet/session/browser-store.ts'

/** Timeout of the extensions' announcements. */
const ANNOUNCED_WITHIN_MS = 250

/** The node of the last used wallet, if it is an extension connected to this page; else undefined. Opens no prompt. */
export async function ownWallet(): Promise<
  { readonly name: string; readonly provider: Provider } | undefined
> {
  const id = rememberedWallet()
  if (id === undefined || id === 'burner' || id === 'walletConnect') return undefined
  const found = id === 'injected' ? injected() : await announced(id)
  if (found === undefined) return undefined
  const accounts = await found.provider.request({ method: 'eth_accounts' }).catch(() => [])
  return Array.isArray(accounts) && accounts.length > 0 ? found : undefined
}

function injected() {
  const { ethereum } = globalThis as { ethereum?: unknown }
  return isProvider(ethereum) ? { name: 'your wallet', provider: ethereum } : undefined
}

function announced(id: string): Promise<{ name: string; provider: Provider } | undefined> {
  return new Promise((resolve) => {
    const done = (found: { name: string; provider: Provider } | undefined) => {
      window.removeEventListener('eip6963:announceProvider', listen)
      clearTimeout(timer)
      resolve(found)
    }
    const listen = (event: Event) => {
      const { detail } = event as CustomEvent<{
        info?: { rdns?: unknown; name?: unknown }
        provider?: unknown
      }>
      if (detail?.info?.rdns !== id || !isProvider(detail.provider)) return
      const { name } = detail.info
      done({ name: typeof name === 'string' ? name.slice(0, 40) : 'your wallet', provider: detail.provider })
    }
    const timer = setTimeout(() => done(undefined), ANNOUNCED_WITHIN_MS)
    window.addEventListener('eip6963:announceProvider', listen)
    window.dispatchEvent(new Event('eip6963:requestProvider'))
  })
}

function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && 'request' in value
}
