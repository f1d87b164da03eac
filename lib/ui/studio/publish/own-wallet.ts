'use client'

import { useCallback, useEffect, useState } from 'react'
import type { Address } from '#lib/protocol/entity.ts'
import { walletErrorMessage } from '#lib/ui/wallet/connect/error-messages.ts'
import type { Network } from '#lib/ui/wallet/connect/network.ts'
import { openWallets } from '#lib/ui/wallet/connect/open-wallets.ts'
import type { Wallet } from '#lib/ui/wallet/connect/wallet.ts'
import { rememberedWallet } from '#lib/ui/wallet/session/browser-store.ts'

/** Whether the wallet can send, and what prevents it. */
export type WalletState =
  | { readonly is: 'ready'; readonly wallet: Wallet; readonly network: Network }
  | { readonly is: 'away'; readonly network: Network }
  | { readonly is: 'other_account'; readonly wallet: Wallet; readonly network: Network }
  | {
      readonly is: 'wrong_chain'
      readonly wallet: Wallet
      readonly network: Network
      readonly chainId: number
    }

/**
 * The state of the wallet that signed in, without prompting it.
 *
 * @throws Refusal, NoAnswer when the network is unknown.
 */
export async function readWalletState(account: Address): Promise<WalletState> {
  const { network, wallets } = await openWallets()
  const remembered = rememberedWallet()
  const wallet = remembered === undefined ? undefined : await wallets.reconnect(remembered)
  if (wallet === undefined) return { is: 'away', network }
  if (!wallet.accounts.includes(account)) return { is: 'other_account', wallet, network }
  const chainId = await wallet.chainId()
  if (network.chain !== null && chainId !== network.chain.id) {
    return { is: 'wrong_chain', wallet, network, chainId }
  }
  return { is: 'ready', wallet, network }
}

/** The wallet cannot send; the message states why. */
class NotReady extends Error {
  override readonly name = 'NotReady'
}

/** Whether the wallet surely signs typed data: one of the kinds that are ours. */
export function signsPlans(state: WalletState | undefined): boolean {
  return state?.is === 'ready' && ['burner', 'passkey'].includes(state.wallet.option.kind)
}

/** The wallet, checked right before sending. @throws NotReady and as `readWalletState`. */
export async function readyWallet(account: Address): Promise<Wallet> {
  const state = await readWalletState(account)
  if (state.is === 'ready') return state.wallet
  throw new NotReady(NOT_READY[state.is])
}

const NOT_READY = {
  away: 'The wallet does not show its account here. Connect it again.',
  other_account: 'The wallet shows another account now. Choose the one you are signed in with.',
  wrong_chain: 'The wallet is on another network now. Switch it back.',
} as const

/** An error as a sentence for the user. */
export function publishErrorMessage(error: unknown): string {
  if (error instanceof NotReady) return error.message
  if (error instanceof Error && error.name === 'AccountChanged') {
    return 'Another account is signed in now; what the one before began is left as it is.'
  }
  return walletErrorMessage(error, 'send', 'The wallet')
}

export interface OwnWallet {
  /** Undefined while loading, and for visitors. */
  readonly state: WalletState | undefined
  readonly refresh: () => void
}

/** The wallet of the account, read now and whenever the window is focused. */
export function useOwnWallet(account: Address | undefined): OwnWallet {
  const [state, setState] = useState<WalletState>()
  const [refreshes, setLooks] = useState(0)
  const refresh = useCallback(() => setLooks((count) => count + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the count triggers another check
  useEffect(() => {
    if (account === undefined) return
    let isUnmounted = false
    readWalletState(account).then(
      (next) => !isUnmounted && setState(next),
      () => {
        // The site is unreachable; the plan shows it.
      },
    )
    return () => {
      isUnmounted = true
    }
  }, [account, refreshes])
  useEffect(() => {
    window.addEventListener('focus', refresh)
    return () => window.removeEventListener('focus', refresh)
  }, [refresh])
  return { state: account === undefined ? undefined : state, refresh }
}
