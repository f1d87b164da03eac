'use client'

import { useState, useSyncExternalStore } from 'react'
import { counted } from '#lib/browser/format.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { useCurrentSession } from '../common/session.tsx'
import { useWorkspaces, useWorkspacesState } from './use-workspaces.ts'

/** Offers to move a visitor's workspaces to the account. */
export function VisitorWork() {
  const { manager } = useWorkspaces()
  const visitors = useWorkspacesState((state) => state.visitors)
  const { announce } = useCurrentSession()
  const [done, setDone] = useState(false)
  if (visitors === 0 || done) return null
  const count = counted(visitors, 'workspace', 'workspaces')
  return (
    <div className="my-3 rounded-lg border border-calm-line bg-calm p-4">
      <p>
        Before you signed in, work was made in this browser: {count}. It stays there, for when you are signed
        out.
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button
          onClick={() => {
            setDone(true)
            void manager.adoptVisitorWorkspaces().then(() => announce(`${count} added to this account.`))
          }}
        >
          Move it to this account
        </Button>
        <Button onClick={() => setDone(true)}>Not now</Button>
      </div>
    </div>
  )
}

/** Shows entries that a merge has duplicated. */
export function Copies() {
  // The same names may be copied once more.
  const copies = useWorkspacesState(({ sync }) => sync?.copies, Object.is)
  const [seenIds, setSeenIds] = useState<readonly string[]>()
  if (copies === undefined || copies.length === 0 || seenIds === copies) return null
  return (
    <div role="status" className="my-3 rounded-lg border border-calm-line bg-calm p-4">
      <p className="[overflow-wrap:anywhere]">
        The same was changed here and on another device. Both are kept; what the other device made is{' '}
        <span className="mono">{copies.join(', ')}</span>.
      </p>
      <Button className="mt-3" onClick={() => setSeenIds(copies)}>
        Good
      </Button>
    </div>
  )
}

/** Shows that the browser or the site is offline. */
export function OfflineBanner() {
  const { manager } = useWorkspaces()
  const unreachable = useWorkspacesState(({ sync }) => sync?.status.kind === 'offline')
  const online = useSyncExternalStore(
    watchConnection,
    () => navigator.onLine,
    () => true,
  )
  return (
    <div role="status">
      {online && !unreachable ? null : (
        <p className="my-2 rounded-md border border-calm-line bg-calm px-3 py-2 text-sm">
          {online ? 'The site does not answer. ' : 'You are offline. '}
          {manager.server === undefined
            ? 'You can go on: your work is kept in this browser. Results come back with the connection.'
            : 'You can go on: your work is kept in this browser and goes to your account when the connection is back.'}
        </p>
      )}
    </div>
  )
}

function watchConnection(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}
