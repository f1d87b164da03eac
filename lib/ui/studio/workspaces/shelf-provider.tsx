'use client'

import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { workspaceServer } from '../storage/server.ts'
import { openShelf, type Shelf } from '../storage/shelf.ts'
import { VISITOR } from '../storage/works.ts'
import { ShelfContext } from './use-shelf.ts'
import { WorkspacesDialog } from './workspaces-dialog.tsx'

/**
 * Opens an owner's workspaces and shows the one that is open.
 *
 * @param children By the id of the workspace. Another workspace needs another `key`.
 * @param opening In its place while it is not known yet which one that is.
 */
export function ShelfProvider({
  owner,
  opening,
  children,
}: {
  owner: string
  opening: ReactNode
  children: (workspace: string) => ReactNode
}) {
  const [shelf, setShelf] = useState<Shelf>()
  useEffect(() => {
    const opened = openShelf(owner, owner === VISITOR ? undefined : workspaceServer(owner))
    setShelf(opened)
    return () => opened.stop()
  }, [owner])
  return shelf === undefined ? opening : <Opened shelf={shelf} opening={opening} show={children} />
}

function Opened({
  shelf,
  opening,
  show,
}: {
  shelf: Shelf
  opening: ReactNode
  show: (workspace: string) => ReactNode
}) {
  const state = useSyncExternalStore(shelf.subscribe, shelf.getState, shelf.getState)
  const [all, setAll] = useState(false)
  const open = useMemo(() => ({ shelf, state, showAll: () => setAll(true) }), [shelf, state])
  if (state.current === undefined) return opening
  return (
    <ShelfContext value={open}>
      {show(state.current)}
      <WorkspacesDialog open={all} onOpenChange={setAll} />
    </ShelfContext>
  )
}
