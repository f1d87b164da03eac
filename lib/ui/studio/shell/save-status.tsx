'use client'

import { useSyncExternalStore } from 'react'
import type { Autosave } from '../storage/autosave.ts'
import type { SyncStatus } from '../storage/sync.ts'
import { useWorkspaces } from '../workspaces/use-workspaces.ts'

/** Whether the work is saved, and where. */
export function SaveStatus({ autosave }: { autosave: Autosave }) {
  const state = useSyncExternalStore(autosave.subscribe, autosave.getState, autosave.getState)
  const status = useWorkspaces().state.sync?.status
  return (
    <span data-save={state.kind} data-account={status?.kind} className="text-ink-soft text-sm">
      {state.kind === 'saving' ? 'Saving…' : null}
      {state.kind === 'saved' ? <Kept status={status} /> : null}
      {state.kind === 'failing' ? (
        <span role="alert" className="text-madder">
          This browser does not keep your work: export it before you leave.
        </span>
      ) : null}
    </span>
  )
}

function Kept({ status }: { status: SyncStatus | undefined }) {
  switch (status?.kind) {
    case undefined:
      return 'Saved in this browser'
    case 'waiting':
      return 'Saved in this browser…'
    case 'done':
      return 'Saved in your account'
    case 'offline':
      return 'Saved in this browser only'
    case 'signed_out':
      return 'Saved in this browser only: sign in again for your account'
    case 'refused':
      return (
        <span role="alert" className="text-madder">
          Saved in this browser only. {status.why}
        </span>
      )
  }
}
