'use client'

import { createContext, useContext } from 'react'
import type { WorkspaceManager, WorkspacesState } from '#lib/studio/keep/workspace-manager.ts'

interface OpenWorkspaces {
  readonly manager: WorkspaceManager
  readonly state: WorkspacesState
  /** Opens the list of all workspaces. */
  readonly showAll: () => void
}

export const WorkspacesContext = createContext<OpenWorkspaces | undefined>(undefined)

/** The workspaces of the account or visitor. */
export function useWorkspaces(): OpenWorkspaces {
  const open = useContext(WorkspacesContext)
  if (open === undefined) throw new Error('useWorkspaces needs a WorkspacesProvider around it')
  return open
}
