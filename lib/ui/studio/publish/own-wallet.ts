import type { Address } from '../../../domain/entity.ts'
import { inWords } from '../../wallet/connect/in-words.ts'
import type { Network } from '../../wallet/connect/network.ts'
import { openWallets } from '../../wallet/connect/open-wallets.ts'
import type { Wallet } from '../../wallet/connect/wallet.ts'
import { rememberedWallet } from '../../wallet/session/remembered-wallet.ts'

/** Whether the wallet of the account could send now, and what is in the way. */
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
 * The wallet that was used to sign in, without asking it for anything.
 *
 * @throws Refusal, NoAnswer when the site does not say which network it is.
 */
export async function lookAtWallet(account: Address): Promise<WalletState> {
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

/** The wallet is not as it has to be for sending; the message says how. */
class NotReady extends Error {
  override readonly name = 'NotReady'
}

/** The wallet, looked at right before it is asked. @throws NotReady and as `lookAtWallet`. */
export async function readyWallet(account: Address): Promise<Wallet> {
  const state = await lookAtWallet(account)
  if (state.is === 'ready') return state.wallet
  throw new NotReady(NOT_READY[state.is])
}

const NOT_READY = {
  away: 'The wallet does not show its account here. Connect it again.',
  other_account: 'The wallet shows another account now. Choose the one you are signed in with.',
  wrong_chain: 'The wallet is on another network now. Switch it back.',
} as const

/** What went wrong, for the person at the screen. */
export function publishingInWords(error: unknown): string {
  if (error instanceof NotReady) return error.message
  if (error instanceof Error && error.name === 'AccountChanged') {
    return 'Another account is signed in now; what the one before began is left as it is.'
  }
  return inWords(error, 'send', 'The wallet')
}
