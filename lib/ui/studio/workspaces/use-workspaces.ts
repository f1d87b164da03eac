'use client'

import { createContext, useContext } from 'react'
import { same } from '#lib/studio/document/same.ts'
import type { WorkspaceManager, WorkspacesState } from '#lib/studio/keep/workspace-manager.ts'
import { useSelected } from '#lib/ui/components/value.ts'

interface OpenWorkspaces {
  readonly manager: WorkspaceManager
  /** Opens the list of all workspaces. */
  readonly showAll: () => void
}

export const WorkspacesContext = createContext<OpenWorkspaces | undefined>(undefined)

/** The workspaces of the account or visitor: the same object whatever changes in them. */
export function useWorkspaces(): OpenWorkspaces {
  const open = useContext(WorkspacesContext)
  if (open === undefined) throw new Error('useWorkspaces needs a WorkspacesProvider around it')
  return open
}

/** A part of the state of the workspaces. Each save changes the state; only another part renders the component again. */
export function useWorkspacesState<T>(
  select: (state: WorkspacesState) => T,
  isEqual: (before: T, next: T) => boolean = same,
): T {
  return useSelected(useWorkspaces().manager, select, isEqual)
}

/** Name of the workspace that is open. */
export function useWorkspaceName(): string {
  return useWorkspacesState(({ items, current }) => items.find(({ id }) => id === current)?.name) ?? 'My work'
}
