'use client'

import { useEffect } from 'react'
import { siteSession } from './browser-store.ts'
import { rememberedWallet } from './remembered-wallet.ts'
import { useSession } from './use-session.ts'
import { watchWallet } from './watch-wallet.ts'

/** Asking again sooner than this tells nothing new: other tabs report what they do. */
const FRESH_MS = 30_000

/** Keeps what a page knows of its session true: asks the server, follows other tabs and the wallet. */
export function useSessionUpkeep(): void {
  useEffect(() => {
    let asked = 0
    const ask = () => {
      asked = Date.now()
      void siteSession.refresh()
    }
    const seen = () => {
      if (document.visibilityState === 'visible' && Date.now() - asked > FRESH_MS) ask()
    }
    const close = siteSession.open()
    ask()
    document.addEventListener('visibilitychange', seen)
    window.addEventListener('online', ask)
    return () => {
      close()
      document.removeEventListener('visibilitychange', seen)
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
