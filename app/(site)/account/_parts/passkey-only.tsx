'use client'

import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { rememberedWallet } from '#lib/ui/wallet/session/browser-store.ts'

/** Renders its children for accounts of passkeys only: browser storage names the wallet, the session does not. */
export function PasskeyOnly({ id, children }: { id: string; children: ReactNode }) {
  const shown = useSyncExternalStore(noChanges, isPasskey, () => false)
  // The browser looked for it before it was there.
  useEffect(() => {
    if (shown && location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView()
  }, [shown, id])
  return shown ? children : null
}

function isPasskey(): boolean {
  return rememberedWallet()?.startsWith('passkey') === true
}

function noChanges(): () => void {
  return () => undefined
}
