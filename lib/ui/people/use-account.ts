'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import type { Address } from '../../domain/entity.ts'
import { useSession } from '../wallet/session/use-session.ts'

/**
 * Whose things a page may show and do; until the session is known, whoever the page was made for. Asks for the page
 * anew when that has become somebody else.
 *
 * @param viewer Who the page was made for; undefined for a visitor.
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
