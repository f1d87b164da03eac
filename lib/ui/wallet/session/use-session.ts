'use client'

import { useValue } from '#lib/ui/components/value.ts'
import { siteSession } from './browser-store.ts'
import type { SessionState } from './store.ts'

const NOT_YET: SessionState = { status: 'unknown', guess: undefined }

/**
 * The session of this page. Render an account's content only while `status` is `signed_in`, keyed by
 * `session.address`: nothing of another account may stay after a switch.
 */
export function useSession(): SessionState {
  return useValue(siteSession, () => NOT_YET)
}
