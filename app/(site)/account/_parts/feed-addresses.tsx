'use client'

import { useRouter } from 'next/navigation'
import type { FeedAddressesRequest } from '#lib/features/social/notice-operations.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { CopyButton } from '#lib/ui/components/copy-button.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { useAction } from '#lib/ui/components/use-action.ts'
import { ask } from '#lib/ui/wallet/session/requests.ts'
import { errorMessage } from './error-messages.ts'

/**
 * The secret address of an Atom feed of the account, with buttons that make, replace and revoke it.
 *
 * @param address Undefined while there is none.
 */
export function FeedAddress({ address }: { address: string | undefined }) {
  const router = useRouter()
  const { busy, said, act } = useAction(errorMessage)
  const change = (request: FeedAddressesRequest) =>
    act(async () => {
      await ask('POST', '/studio/api/notices/feeds', request)
      router.refresh()
    })

  return (
    <Part id="own-feed" title="In your feed reader" className="mt-12 max-w-[46rem]">
      {address === undefined ? (
        <>
          <p className="pb-3 text-ink-soft text-sm">
            This list as an Atom feed, at a secret address of its own.
          </p>
          <Button disabled={busy} onClick={() => void change({ on: true })} className="scripted">
            Make an address
          </Button>
        </>
      ) : (
        <>
          <p className="pb-1 text-ink-soft text-sm">
            Everyone with this address can read the list. A new address ends it, and that of your other list.
          </p>
          <p className="flex items-center gap-2 pb-3">
            <code className="min-w-0 text-xs [overflow-wrap:anywhere]">{address}</code>
            <CopyButton text={address} what="address" />
          </p>
          <div className="scripted flex flex-wrap gap-3">
            <Button disabled={busy} onClick={() => void change({ on: true })}>
              New address
            </Button>
            <Button disabled={busy} onClick={() => void change({ on: false })}>
              Revoke
            </Button>
          </div>
        </>
      )}
      <p role="status" className="pt-2 text-sm empty:hidden">
        {said}
      </p>
    </Part>
  )
}
