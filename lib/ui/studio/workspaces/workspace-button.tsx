'use client'

import { Layers } from 'lucide-react'
import { useShelf } from './use-shelf.ts'

/** What the workspace that is open is called; opens the list of all. */
export function WorkspaceButton() {
  const { state, showAll } = useShelf()
  const current = state.items.find(({ id }) => id === state.current)
  if (current === undefined) return null
  return (
    <button
      type="button"
      data-workspaces
      aria-haspopup="dialog"
      aria-label={`Workspace: ${current.name}`}
      onClick={showAll}
      className="inline-flex min-h-10 min-w-0 max-w-56 cursor-pointer items-center gap-1.5 rounded-md px-2 font-medium text-sm transition-colors hover:bg-sunk pointer-coarse:min-h-11"
    >
      <Layers className="size-4 shrink-0" aria-hidden="true" />
      <span className="truncate">{current.name}</span>
    </button>
  )
}
