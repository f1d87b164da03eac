'use client'

import type { ReactNode } from 'react'
import type { Address } from '#lib/protocol/entity.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { useAccount } from '#lib/ui/people/use-account.ts'
import { prompt } from '#lib/ui/wallet/prompt.ts'

/** Renders an account's content while it is signed in, else a sign-in button. */
export function Whose({
  viewer,
  purpose,
  children,
}: {
  viewer: Address | undefined
  /** Reason to sign in here. */
  purpose: string
  children?: ReactNode
}) {
  const account = useAccount(viewer)
  if (viewer !== undefined && account === viewer) return children
  if (account !== undefined)
    return <p className="text-ink-soft">One moment: the page of your other account …</p>
  return (
    <div className="max-w-prose space-y-4">
      <p>{purpose} Your address is your account: there is nothing to register.</p>
      <Button look="filled" onClick={() => void prompt('sign_in')} className="scripted">
        Sign in with a wallet
      </Button>
      <p className="unscripted text-ink-soft">
        Signing in asks your wallet, which takes a script: turn scripts on.
      </p>
    </div>
  )
}
