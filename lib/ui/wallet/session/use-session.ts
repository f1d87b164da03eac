'use client'

import { useSyncExternalStore } from 'react'
import { siteSession } from './browser-store.ts'
import type { SessionState } from './store.ts'

const NOT_YET: SessionState = { status: 'unknown', guess: undefined }

/**
 * Who uses this page. What belongs to an account is shown only while `status` is `signed_in`, and is keyed by
 * `session.address`: after a switch nothing of the account before may stay on the page.
 */
export function useSession(): SessionState {
  return useSyncExternalStore(siteSession.subscribe, siteSession.getState, () => NOT_YET)
}
