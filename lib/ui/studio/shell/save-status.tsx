'use client'

import { Check, CloudOff, Loader } from 'lucide-react'
import type { Autosave } from '#lib/studio/keep/autosave.ts'
import type { SyncStatus } from '#lib/studio/keep/sync.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { useWorkspacesState } from '../workspaces/use-workspaces.ts'

function useSaved(autosave: Autosave) {
  const state = useValue(autosave)
  const status = useWorkspacesState(({ sync }) => sync?.status)
  return { kind: state.kind, full: state.kind === 'failing' && state.full, status }
}

/** Whether the work is saved, and where. */
export function SaveStatus({ autosave }: { autosave: Autosave }) {
  const { kind, status } = useSaved(autosave)
  const words = kind === 'saved' ? where(status) : kind === 'failing' ? 'Not saved' : 'Saving…'
  const here = kind === 'saved' && (status?.kind === 'done' || status === undefined)
  return (
    <span
      data-save={kind}
      data-account={status?.kind}
      title={words}
      className="inline-flex shrink-0 items-center gap-1 px-1 text-ink-soft text-xs max-xs:sr-only [&>svg]:size-3.5"
    >
      {kind === 'saving' ? (
        <Loader aria-hidden="true" />
      ) : here ? (
        <Check aria-hidden="true" />
      ) : (
        <CloudOff aria-hidden="true" />
      )}
      <span className="max-wide:sr-only">{words}</span>
    </span>
  )
}

function where(status: SyncStatus | undefined): string {
  switch (status?.kind) {
    case undefined:
      return 'Saved in this browser'
    case 'waiting':
      return 'Saved in this browser…'
    case 'done':
      return 'Saved in your account'
    default:
      return 'Saved in this browser only'
  }
}

/** Why the work is not saved, or not in the account. */
export function SaveTrouble({ autosave }: { autosave: Autosave }) {
  const { kind, full, status } = useSaved(autosave)
  const text =
    kind === 'failing'
      ? `${full ? 'The storage of this browser is full: your work is in this page only. Make room, or' : 'This browser does not keep your work:'} export it before you leave.`
      : kind === 'saved' && status?.kind === 'refused'
        ? `Saved in this browser only. ${status.why}`
        : kind === 'saved' && status?.kind === 'signed_out'
          ? 'Saved in this browser only: sign in again for your account'
          : undefined
  return text === undefined ? null : (
    <p role="alert" className="border-line border-b bg-calm px-4 py-2 text-madder text-sm">
      {text}
    </p>
  )
}
