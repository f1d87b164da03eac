import type { Address } from '../../../domain/entity.ts'

/*
 * Hears of account switches in the wallet that was used to sign in, without any of the wallet code: two messages of
 * EIP-6963 and two of EIP-1193 are all it takes.
 */

/** What of EIP-1193 it takes to hear of accounts. */
interface AccountProvider {
  request(call: { method: string }): Promise<unknown>
  on?(event: 'accountsChanged', listener: (accounts: unknown) => void): void
  removeListener?(event: 'accountsChanged', listener: (accounts: unknown) => void): void
}

/** Where a page's wallets announce themselves; `window`. */
export interface WalletHost extends EventTarget {
  readonly ethereum?: unknown
}

/**
 * Tells which account a wallet shows, now and after each switch; undefined while it is locked or shows none. Wallets
 * that the page was never allowed to see say nothing.
 *
 * @param walletId Reverse domain name of EIP-6963, or `injected` for the one at `window.ethereum`.
 * @returns the way to stop.
 */
export function watchWallet(
  host: WalletHost,
  walletId: string,
  shows: (address: Address | undefined) => void,
): () => void {
  let watched: AccountProvider | undefined
  const changed = (accounts: unknown) => shows(firstOf(accounts))

  const watch = (provider: AccountProvider) => {
    if (watched !== undefined) return
    watched = provider
    provider.on?.('accountsChanged', changed)
    provider.request({ method: 'eth_accounts' }).then(changed, () => {
      // A wallet that is still starting up will tell by the event.
    })
  }
  const announced = (event: Event) => {
    const { detail } = event as CustomEvent<{ info?: { rdns?: unknown }; provider?: AccountProvider }>
    if (detail?.info?.rdns === walletId && detail.provider !== undefined) watch(detail.provider)
  }

  if (walletId === 'injected') {
    if (isProvider(host.ethereum)) watch(host.ethereum)
  } else {
    host.addEventListener('eip6963:announceProvider', announced)
    host.dispatchEvent(new Event('eip6963:requestProvider'))
  }
  return () => {
    host.removeEventListener('eip6963:announceProvider', announced)
    watched?.removeListener?.('accountsChanged', changed)
  }
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
