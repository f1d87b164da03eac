'use client'

import { useRouter } from 'next/navigation'
import { ask } from '#lib/browser/requests.ts'
import { duration } from '#lib/ui/components/time.ts'
import { TimeAgo } from '#lib/ui/components/time-ago.tsx'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { errorMessage } from '#lib/ui/people/error-messages.ts'

export interface SessionRow {
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly current: boolean
}

/** The account's sessions, with a button that ends all others. */
export function Sessions({ rows, nowMs }: { rows: readonly SessionRow[]; nowMs: number }) {
  const router = useRouter()
  const { busy, message, act } = useAction(errorMessage)
  const others = rows.filter(({ current }) => !current).length

  const end = () =>
    act(async () => {
      await ask('DELETE', '/session/others')
      router.refresh()
      return 'Signed out everywhere else.'
    })

  return (
    <>
      <ul className="max-w-[38rem]">
        {rows.map(({ createdAtMs, expiresAtMs, current }) => (
          <li
            key={`${createdAtMs} ${current}`}
            className="group flex flex-wrap justify-between gap-x-6 border-line border-t py-2.5 text-sm"
          >
            <span className={current ? 'font-medium' : undefined}>
              {current ? 'This browser' : 'Another browser or program'}
            </span>
            <span className="text-ink-soft">
              signed in <TimeAgo ms={createdAtMs} nowMs={nowMs} />, for {duration(expiresAtMs - nowMs)} more
            </span>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        {others === 0 ? null : (
          <Button onClick={() => void end()} disabled={busy}>
            Sign out everywhere else
          </Button>
        )}
        <p role="status" className="text-sm">
          {message ?? (others === 0 ? 'You are signed in nowhere else.' : '')}
        </p>
      </div>
    </>
  )
}
