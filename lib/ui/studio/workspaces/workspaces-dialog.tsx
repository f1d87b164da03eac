'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../button.tsx'
import { sentenceOf } from './in-words.ts'
import { useShelf } from './use-shelf.ts'
import { DeletedLine, WorkspaceLine } from './workspace-line.tsx'

/** All workspaces: to open, name, duplicate, delete and take back. */
export function WorkspacesDialog({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-veil" />
        <Dialog.Popup
          finalFocus={() => document.querySelector<HTMLElement>('[data-workspaces]')}
          className="fixed inset-x-4 top-[8vh] z-20 mx-auto max-h-[84vh] max-w-2xl overflow-y-auto rounded-lg border border-edge bg-raised p-4 sm:p-5"
        >
          <Dialog.Title className="font-semibold text-base">Workspaces</Dialog.Title>
          <All onDone={() => onOpenChange(false)} />
          <Dialog.Close className="mt-4 min-h-11 cursor-pointer rounded-md border border-edge px-4 text-sm hover:border-accent">
            Close
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function All({ onDone }: { onDone: () => void }) {
  const { shelf, state } = useShelf()
  const [said, setSaid] = useState<{ text: string; undo?: () => Promise<void> }>()
  const status = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // What was pressed may have gone with its line: then the focus goes on from what is said about it.
    if (said === undefined || document.activeElement !== document.body) return
    const undo = status.current?.querySelector('button')
    ;(undo ?? status.current)?.focus()
  }, [said])
  const run = (what: () => Promise<void>, then?: () => void) => {
    what().then(then, (error: unknown) => setSaid({ text: sentenceOf(error) }))
  }
  return (
    <>
      <p className="mt-1 text-ink-soft text-sm">
        {shelf.server === undefined
          ? 'Kept in this browser. Sign in, and your account keeps them, too.'
          : 'Kept in this browser and in your account, for you alone.'}
      </p>
      <ul className="mt-3 divide-y divide-line border-line border-y">
        {state.items.map((item) => (
          <WorkspaceLine
            key={item.id}
            item={item}
            current={item.id === state.current}
            onOpen={() => run(() => shelf.open(item.id), onDone)}
            onRename={(name) => run(() => shelf.rename(item.id, name))}
            onDuplicate={() =>
              run(
                () => shelf.duplicate(item.id),
                () => setSaid({ text: `Duplicated ${item.name}.` }),
              )
            }
            onDelete={() =>
              run(
                () => shelf.remove(item.id),
                () => setSaid({ text: `Deleted ${item.name}.`, undo: () => shelf.takeBack(item.id) }),
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
        {said === undefined ? null : (
          <>
            <span className="[overflow-wrap:anywhere]">{said.text}</span>
            {said.undo === undefined ? null : (
              <Button onClick={() => run(said.undo!, () => setSaid({ text: 'It is back.' }))}>Undo</Button>
            )}
          </>
        )}
      </div>
      <div className="flex">
        <Button onClick={() => run(() => shelf.create(), onDone)}>New workspace</Button>
      </div>
      {state.deleted.length === 0 ? null : (
        <section aria-label="Recently deleted" className="mt-5">
          <h3 className="font-semibold text-sm">Recently deleted</h3>
          <ul className="mt-1 divide-y divide-line border-line border-y">
            {state.deleted.map((item) => (
              <DeletedLine
                key={item.id}
                item={item}
                onTakeBack={() =>
                  run(
                    () => shelf.takeBack(item.id),
                    () => setSaid({ text: `${item.name} is back.` }),
                  )
                }
                onForGood={() =>
                  run(
                    () => shelf.removeForGood(item.id),
                    () => setSaid({ text: `${item.name} is gone for good.` }),
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
