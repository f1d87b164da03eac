import { siteSession } from '../session/browser-store.ts'
import { askChainMessage, startChainAccess } from '../session/requests.ts'
import { openWallets } from './open-wallets.ts'

/** Renews the chain token with the throwaway wallet, without a dialog. @returns Whether it succeeded. */
export async function renewQuietly(): Promise<boolean> {
  const state = siteSession.getState()
  if (state.status !== 'signed_in') return false
  const { address } = state.session
  try {
    const { wallets } = await openWallets()
    const wallet = await wallets.reconnect('burner')
    if (wallet === undefined || !wallet.accounts.includes(address)) return false
    const message = await askChainMessage(address)
    const signature = await wallet.signMessage(address, message)
    siteSession.accept(await startChainAccess({ message, signature }))
    return true
  } catch {
    // The dialog shows the error.
    return false
  }
}
