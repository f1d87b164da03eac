'use client'

import { useCallback, useEffect, useState } from 'react'
import type { Address } from '../../../domain/entity.ts'
import { lookAtWallet, type WalletState } from './own-wallet.ts'

export interface OwnWallet {
  /** Undefined while it is being looked at, and for visitors. */
  readonly state: WalletState | undefined
  readonly look: () => void
}

/** The wallet of whoever is signed in, looked at now and whenever the page is returned to. */
export function useOwnWallet(account: Address | undefined): OwnWallet {
  const [state, setState] = useState<WalletState>()
  const [looks, setLooks] = useState(0)
  const look = useCallback(() => setLooks((count) => count + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another look is what the count is for
  useEffect(() => {
    if (account === undefined) return
    let left = false
    lookAtWallet(account).then(
      (found) => !left && setState(found),
      () => {
        // The site is away; the plan itself says so.
      },
    )
    return () => {
      left = true
    }
  }, [account, looks])
  useEffect(() => {
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [look])
  return { state: account === undefined ? undefined : state, look }
}
