'use client'

import { useSyncExternalStore } from 'react'
import { useShelf } from './use-shelf.ts'

/** Says that there is no connection, and what that means for the work. */
export function OfflineBanner() {
  const { shelf, state } = useShelf()
  const online = useSyncExternalStore(
    watchConnection,
    () => navigator.onLine,
    () => true,
  )
  const unreachable = state.sync?.status.kind === 'offline'
  return (
    <div role="status">
      {online && !unreachable ? null : (
        <p className="my-2 rounded-md border border-calm-line bg-calm px-3 py-2 text-sm">
          {online ? 'The site does not answer. ' : 'You are offline. '}
          {shelf.server === undefined
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
