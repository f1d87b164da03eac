'use client'

import { useSyncExternalStore } from 'react'
import type { Autosave } from '../storage/autosave.ts'

/** Whether what was done is kept. */
export function SaveSign({ autosave }: { autosave: Autosave }) {
  const state = useSyncExternalStore(autosave.subscribe, autosave.getState, autosave.getState)
  return (
    <span data-save={state.kind} className="text-ink-soft text-sm">
      {state.kind === 'saving' ? 'Saving…' : null}
      {state.kind === 'saved' ? 'Saved in this browser' : null}
      {state.kind === 'failing' ? (
        <span role="alert" className="text-madder">
          This browser does not keep your work: export it before you leave.
        </span>
      ) : null}
    </span>
  )
}
