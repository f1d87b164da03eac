'use client'

import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { workspaceServer } from '#lib/studio/keep/server.ts'
import { openWorkspaceManager, type WorkspaceManager } from '#lib/studio/keep/workspace-manager.ts'
import { VISITOR } from '#lib/studio/keep/workspace-store.ts'
import { useSelected, useValue } from '#lib/ui/components/value.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { StudioDialog } from '../common/dialog.tsx'
import { errorMessage } from './error-messages.ts'
import { useWorkspaces, WorkspacesContext } from './use-workspaces.ts'
import { DeletedLine, WorkspaceLine } from './workspace-line.tsx'

/** All workspaces: open, rename, duplicate, delete, restore. */
function WorkspacesDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <StudioDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Workspaces"
      wide
      finalFocus={() => document.querySelector<HTMLElement>('[data-workspaces]')}
    >
      <All onDone={() => onOpenChange(false)} />
    </StudioDialog>
  )
}

function All({ onDone }: { onDone: () => void }) {
  const { manager } = useWorkspaces()
  const state = useValue(manager)
  const [message, setMessage] = useState<{ text: string; undo?: () => Promise<void> }>()
  const status = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // When the pressed button was removed with its line, the focus moves to the status.
    if (message === undefined || document.activeElement !== document.body) return
    const undo = status.current?.querySelector('button')
    ;(undo ?? status.current)?.focus()
  }, [message])
  const newest = useRef(0)
  const run = (what: () => Promise<void>, then?: () => void) => {
    const turn = ++newest.current
    // What began later has the last word.
    what().then(
      () => turn === newest.current && then?.(),
      (error: unknown) => setMessage({ text: errorMessage(error) }),
    )
  }
  return (
    <>
      <p className="mt-1 text-ink-soft text-sm">
        {manager.server === undefined
          ? 'Kept in this browser. Sign in, and your account keeps them, too.'
          : 'Kept in this browser and in your account, for you alone.'}
      </p>
      <ul className="mt-3 divide-y divide-line border-line border-y">
        {state.items.map((item) => (
          <WorkspaceLine
            key={item.id}
            item={item}
            current={item.id === state.current}
            onOpen={() => run(() => manager.open(item.id), onDone)}
            onRename={(name) => run(() => manager.rename(item.id, name))}
            onDuplicate={() =>
              run(
                () => manager.duplicate(item.id),
                () => setMessage({ text: `Duplicated ${item.name}.` }),
              )
            }
            onDelete={() =>
              run(
                () => manager.remove(item.id),
                () => setMessage({ text: `Deleted ${item.name}.`, undo: () => manager.restore(item.id) }),
              )
            }
          />
        ))}
      </ul>
      <div
        ref={status}
        role="status"
        tabIndex={-1}
        className="flex min-h-11 flex-wrap items-center gap-3 py-1 text-sm"
      >
        {message === undefined ? null : (
          <>
            <span className="[overflow-wrap:anywhere]">{message.text}</span>
            {message.undo === undefined ? null : (
              <Button onClick={() => run(message.undo!, () => setMessage({ text: 'It is back.' }))}>
                Undo
              </Button>
            )}
          </>
        )}
      </div>
      <div className="flex">
        <Button onClick={() => run(() => manager.create(), onDone)}>New workspace</Button>
      </div>
      {state.deleted.length === 0 ? null : (
        <section aria-label="Recently deleted" className="mt-5">
          <h3 className="font-semibold text-sm">Recently deleted</h3>
          <ul className="mt-1 divide-y divide-line border-line border-y">
            {state.deleted.map((item) => (
              <DeletedLine
                key={item.id}
                item={item}
                onRestore={() =>
                  run(
                    () => manager.restore(item.id),
                    () => setMessage({ text: `${item.name} is back.` }),
                  )
                }
                onRemovePermanently={() =>
                  run(
                    () => manager.removePermanently(item.id),
                    () => setMessage({ text: `${item.name} is gone for good.` }),
                  )
                }
              />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/**
 * Opens an owner's workspaces and shows the one that is open. With another owner, what is shown stays until it is known
 * what is open then.
 *
 * @param leave Leaves what is open to the next owner: its id, or undefined for nothing.
 * @param children By the id of the workspace. Another workspace needs another `key`.
 * @param opening In its place while it is not known yet which one that is.
 */
export function WorkspacesProvider({
  owner,
  leave,
  opening,
  children,
}: {
  owner: string
  leave: () => Promise<string | undefined>
  opening: ReactNode
  children: (workspace: string) => ReactNode
}) {
  const [manager, setManager] = useState<WorkspaceManager>()
  const left = useEffectEvent(leave)
  useEffect(() => {
    let gone = false
    let opened: WorkspaceManager | undefined
    const open = async () => {
      const workspace = await left()
      if (gone) return
      // What is shown stays behind: nothing is to be typed into it meanwhile.
      if (workspace === undefined) setManager(undefined)
      const manager = openWorkspaceManager(
        owner,
        owner === VISITOR ? undefined : workspaceServer(owner),
        workspace,
      )
      opened = manager
      const unsubscribe = manager.subscribe(() => {
        if (manager.getState().current === undefined) return
        unsubscribe()
        setManager(manager)
      })
    }
    void open()
    return () => {
      gone = true
      opened?.stop()
    }
  }, [owner])
  return manager === undefined ? opening : <Opened manager={manager} opening={opening} show={children} />
}

function Opened({
  manager,
  opening,
  show,
}: {
  manager: WorkspaceManager
  opening: ReactNode
  show: (workspace: string) => ReactNode
}) {
  const current = useSelected(manager, (state) => state.current)
  const [all, setAll] = useState(false)
  const open = useMemo(() => ({ manager, showAll: () => setAll(true) }), [manager])
  if (current === undefined) return opening
  return (
    <WorkspacesContext value={open}>
      {show(current)}
      <WorkspacesDialog open={all} onOpenChange={setAll} />
    </WorkspacesContext>
  )
}
