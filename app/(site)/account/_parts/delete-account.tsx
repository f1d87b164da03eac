'use client'

import { type FormEvent, useState } from 'react'
import { ask } from '#lib/browser/requests.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { deleteStoredWorkspaces } from '#lib/studio/keep/workspace-store.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Submit, TextField } from '#lib/ui/kit/field.tsx'
import { errorMessage } from '#lib/ui/people/error-messages.ts'
import { siteSession } from '#lib/ui/wallet/session/browser-store.ts'

/** Typed to confirm. */
const WORD = 'delete'

/** Deletes the account after a confirmation. */
export function DeleteAccount({ address }: { address: Address }) {
  const [typed, setTyped] = useState('')
  const { busy, message, act } = useAction(errorMessage)
  const sure = typed.trim().toLowerCase() === WORD

  const remove = (event: FormEvent) => {
    event.preventDefault()
    if (!sure) return
    void act(async () => {
      await ask('DELETE', `/services/users/${address}`)
      // Otherwise the next sign-in from this browser would bring it back.
      await deleteStoredWorkspaces(address)
      // Deletes the cookie and broadcasts it to other tabs.
      siteSession.accept(undefined)
      await siteSession.refresh()
      location.assign('/account?deleted=1')
    })
  }

  return (
    <form onSubmit={remove} className="max-w-[38rem] space-y-4 text-sm">
      <p>
        Your profile, whom you follow and who follows you, every session, and the unpublished work kept on
        this server and in this browser are gone at once, for good; agents publish at your expense no more.
        What you published stays on chain under your address, where nobody can remove it; drafts and Worlds
        stay under your address too. Signing in again begins afresh.
      </p>
      <label className="block">
        To go on, type <code>{WORD}</code>
        <TextField code value={typed} onText={setTyped} className="mt-1 block w-48" />
      </label>
      <Submit look="outline" disabled={!sure || busy} message={message}>
        Delete my account
      </Submit>
    </form>
  )
}
