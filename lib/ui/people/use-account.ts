'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import type { Address } from '#lib/protocol/entity.ts'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'

/**
 * The account that a page belongs to: until the session is known, the one it was rendered for. Refreshes the page
 * when the account has changed.
 *
 * @param viewer The account the page was rendered for; undefined for a visitor.
 */
export function useAccount(viewer: Address | undefined): Address | undefined {
  const router = useRouter()
  const state = useSession()
  const signedIn = state.status === 'signed_in' ? state.session.address : undefined
  const known = state.status !== 'unknown'
  useEffect(() => {
    if (known && signedIn !== viewer) router.refresh()
  }, [known, signedIn, viewer, router])
  return known ? signedIn : viewer
}
