'use client'

import { createContext, useContext } from 'react'
import type { Shelf, ShelfState } from '../storage/shelf.ts'

interface OpenShelf {
  readonly shelf: Shelf
  readonly state: ShelfState
  /** Opens the list of all workspaces. */
  readonly showAll: () => void
}

export const ShelfContext = createContext<OpenShelf | undefined>(undefined)

/** The workspaces of whoever uses the page. */
export function useShelf(): OpenShelf {
  const open = useContext(ShelfContext)
  if (open === undefined) throw new Error('useShelf needs a ShelfProvider around it')
  return open
}
