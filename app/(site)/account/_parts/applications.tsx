'use client'

import { useRouter } from 'next/navigation'
import { ask } from '#lib/browser/requests.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { TimeAgo } from '#lib/ui/components/time-ago.tsx'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { errorMessage } from '#lib/ui/people/error-messages.ts'

interface Props {
  readonly account: Address
  readonly rows: readonly {
    readonly id: string
    readonly clientName: string
    /** Where its answers go, in words. */
    readonly place: string
    readonly createdAtMs: number
    readonly usedAtMs: number | undefined
  }[]
  readonly nowMs: number
}

/** Applications that act for the account, each with a button that disconnects it. */
export function Applications({ account, rows, nowMs }: Props) {
  const router = useRouter()
  const { busy, message, act } = useAction(errorMessage)
  const disconnect = (id: string, name: string) =>
    act(async () => {
      await ask('DELETE', `/studio/api/agents/${account}/${id}`)
      router.refresh()
      return `“${name}” is disconnected.`
    })

  return (
    <>
      <ul className="max-w-[38rem]">
        {rows.map(({ id, clientName, place, createdAtMs, usedAtMs }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-line border-t py-2.5 text-sm"
          >
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <span className="font-medium">{clientName}</span>{' '}
              <span className="text-ink-soft">
                ({place}), connected <TimeAgo ms={createdAtMs} nowMs={nowMs} />
                {usedAtMs === undefined ? null : (
                  <>
                    , last used <TimeAgo ms={usedAtMs} nowMs={nowMs} />
                  </>
                )}
              </span>
            </span>
            <Button disabled={busy} onClick={() => void disconnect(id, clientName)}>
              Disconnect
            </Button>
          </li>
        ))}
      </ul>
      {rows.length > 0 ? null : (
        <p className="text-sm">
          None.{' '}
          <a className={textLink} href="/docs/agents#connect-an-account">
            How an agent connects to your account
          </a>
        </p>
      )}
      <p role="status" className="pt-2 text-sm empty:hidden">
        {message}
      </p>
    </>
  )
}
