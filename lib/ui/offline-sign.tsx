'use client'

import { useSyncExternalStore } from 'react'

function watch(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

/** Says that the browser has no connection, for as long as it has none. The studio says so itself, with what it keeps. */
export function OfflineSign() {
  const offline = useSyncExternalStore(
    watch,
    () => !navigator.onLine,
    () => false,
  )
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-10 flex justify-center px-4 group-has-[[data-workbench]]/frame:hidden"
    >
      {offline ? (
        <p className="rounded-lg border border-calm-line bg-calm px-4 py-2.5 text-sm shadow-lg">
          You are offline. This page stays as it is; links and searches work again with the connection.
        </p>
      ) : null}
    </div>
  )
}
