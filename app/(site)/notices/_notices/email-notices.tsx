'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { Subscription } from '#lib/core/people/mail/subscription.ts'
import type { EmailRequest } from '#lib/features/social/notice-operations.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { useAction } from '#lib/ui/components/use-action.ts'
import { ask } from '#lib/ui/wallet/session/requests.ts'
import { ownMessageOr } from '../../account/_parts/error-messages.ts'

/**
 * The e-mail address that notices are sent to.
 *
 * @param subscription Null while there is none.
 */
export function EmailNotices({ subscription }: { subscription: Subscription | null }) {
  const router = useRouter()
  const [typed, setTyped] = useState('')
  const { busy, said: problem, act } = useAction(ownMessageOr(400, 429))
  const change = (request: EmailRequest) =>
    act(async () => {
      await ask('POST', '/studio/api/notices/email', request)
      setTyped('')
      router.refresh()
    })

  return (
    <Part id="email" title="By e-mail" className="mt-12 max-w-[46rem]">
      {subscription === null ? (
        <form
          className="scripted"
          onSubmit={(event) => {
            event.preventDefault()
            void change({ address: typed.trim() })
          }}
        >
          <p className="pb-3 text-ink-soft text-sm">
            New notices, at most one e-mail an hour. First you get a link that confirms the address; each
            e-mail has one that ends them. The address is shown to nobody else.
          </p>
          <div className="flex flex-wrap items-end gap-3">
            <label className="text-sm">
              E-mail address
              <input
                type="email"
                required
                maxLength={254}
                autoComplete="email"
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                className="mt-1 block min-h-11 w-72 max-w-full rounded-md border border-edge bg-raised px-3 text-sm"
              />
            </label>
            <Button type="submit" disabled={busy}>
              Send the link
            </Button>
          </div>
        </form>
      ) : (
        <div className="space-y-3 text-sm">
          <p className="[overflow-wrap:anywhere]">
            {subscription.stopped !== null
              ? `Nothing is sent to ${subscription.address} any more: ${subscription.stopped}.`
              : subscription.confirmed
                ? `New notices are sent to ${subscription.address}.`
                : `A link is on its way to ${subscription.address}. Open it to confirm the address.`}
          </p>
          <Button disabled={busy} onClick={() => void change({ address: null })} className="scripted">
            Remove the address
          </Button>
        </div>
      )}
      <p role="alert" className="pt-2 text-madder text-sm empty:hidden">
        {problem}
      </p>
    </Part>
  )
}
