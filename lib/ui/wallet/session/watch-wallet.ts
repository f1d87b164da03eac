import { useEffect } from 'react'
import type { Address } from '#lib/protocol/entity.ts'
import { rememberedWallet, siteSession } from './browser-store.ts'
import { useSession } from './use-session.ts'

/*
 * Subscribes to account switches of the wallet that was used to sign in, without the wallet code: two messages of
 * EIP-6963 and two of EIP-1193 are all it takes.
 */

/** The part of EIP-1193 with account events. */
interface AccountProvider {
  request(call: { method: string }): Promise<unknown>
  on?(event: 'accountsChanged', listener: (accounts: unknown) => void): void
  removeListener?(event: 'accountsChanged', listener: (accounts: unknown) => void): void
}

/** The target of wallet announcements; `window`. */
export interface WalletHost extends EventTarget {
  readonly ethereum?: unknown
}

/**
 * Reports the account of a wallet, now and after each switch; undefined while it is locked. Wallets without
 * permission for the page are ignored.
 *
 * @param walletId Reverse domain name of EIP-6963, or `injected` for the one at `window.ethereum`.
 * @returns Unsubscribes.
 */
export function watchWallet(
  host: WalletHost,
  walletId: string,
  shows: (address: Address | undefined) => void,
): () => void {
  let watched: AccountProvider | undefined
  const changed = (accounts: unknown) => shows(firstOf(accounts))
  const stop = findWallet(host, walletId, ({ provider }) => {
    if (watched !== undefined) return
    watched = provider
    provider.on?.('accountsChanged', changed)
    provider.request({ method: 'eth_accounts' }).then(changed, () => {
      // A wallet that is still starting emits the event later.
    })
  })
  return () => {
    stop()
    watched?.removeListener?.('accountsChanged', changed)
  }
}

/** A wallet that is an extension. */
export interface FoundWallet {
  readonly name: string
  readonly provider: AccountProvider
}

/** Reports a wallet at each of its announcements. @returns Unsubscribes. */
export function findWallet(
  host: WalletHost,
  walletId: string,
  onWallet: (wallet: FoundWallet) => void,
): () => void {
  if (walletId === 'injected' && isProvider(host.ethereum)) {
    onWallet({ name: 'your wallet', provider: host.ethereum })
  }
  const announced = (event: Event) => {
    const { detail } = event as CustomEvent<{ info?: { rdns?: unknown; name?: unknown }; provider?: unknown }>
    if (detail?.info?.rdns !== walletId || !isProvider(detail.provider)) return
    const { name } = detail.info
    onWallet({
      name: typeof name === 'string' ? name.slice(0, 40) : 'your wallet',
      provider: detail.provider,
    })
  }
  host.addEventListener('eip6963:announceProvider', announced)
  host.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => host.removeEventListener('eip6963:announceProvider', announced)
}

function isProvider(value: unknown): value is AccountProvider {
  return typeof value === 'object' && value !== null && 'request' in value
}

function firstOf(accounts: unknown): Address | undefined {
  const first = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' && /^0x[0-9a-fA-F]{40}$/.test(first)
    ? (first.toLowerCase() as Address)
    : undefined
}

/** Minimum interval of refreshes: other tabs broadcast their changes. */
const FRESH_MS = 30_000

/** Updates the session store from the server, other tabs and the wallet. */
export function useSessionUpkeep(): void {
  useEffect(() => {
    let requestedAt = 0
    const ask = () => {
      requestedAt = Date.now()
      void siteSession.refresh()
    }
    const onVisible = () => {
      if (document.visibilityState === 'visible' && Date.now() - requestedAt > FRESH_MS) ask()
    }
    const close = siteSession.open()
    ask()
    document.addEventListener('visibilitychange', onVisible)
    window.addEventListener('online', ask)
    return () => {
      close()
      document.removeEventListener('visibilitychange', onVisible)
      window.removeEventListener('online', ask)
    }
  }, [])

  const state = useSession()
  const signedIn = state.status === 'signed_in' || state.status === 'switched'
  const walletId = signedIn ? rememberedWallet() : undefined
  useEffect(() => {
    if (walletId === undefined || walletId === 'burner' || walletId === 'walletConnect') return
    return watchWallet(window, walletId, siteSession.walletShows)
  }, [walletId])
}
