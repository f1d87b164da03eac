'use client'

import { useEffect } from 'react'
import { ask } from '#lib/browser/requests.ts'
import { siteSession } from '#lib/ui/wallet/session/browser-store.ts'

/** Marks the notices of the page as seen, and takes their number off the header. */
export function Seen() {
  useEffect(() => {
    ask('POST', '/studio/api/notices/seen').then(
      () => siteSession.refresh(),
      () => {
        // They stay new.
      },
    )
  }, [])
  return null
}
