import { useEffect, useState } from 'react'
import { rememberedWallet } from '#lib/ui/wallet/session/browser-store.ts'
import { type FoundWallet, findWallet } from '#lib/ui/wallet/session/watch-wallet.ts'

/** Timeout of the extensions' announcements. */
const ANNOUNCED_WITHIN_MS = 250

/** The last used wallet, if it is an extension connected to this page. Opens no prompt. */
export function useOwnWallet(): FoundWallet | undefined {
  const [wallet, setWallet] = useState<FoundWallet>()
  useEffect(() => {
    const id = rememberedWallet()
    if (id === undefined || id === 'burner' || id === 'walletConnect') return
    let gone = false
    const stop = findWallet(window, id, (candidate) => {
      candidate.provider.request({ method: 'eth_accounts' }).then(
        (accounts) => {
          if (!gone && Array.isArray(accounts) && accounts.length > 0)
            setWallet((first) => first ?? candidate)
        },
        () => {
          // No wallet.
        },
      )
    })
    const timer = setTimeout(stop, ANNOUNCED_WITHIN_MS)
    return () => {
      gone = true
      clearTimeout(timer)
      stop()
    }
  }, [])
  return wallet
}
