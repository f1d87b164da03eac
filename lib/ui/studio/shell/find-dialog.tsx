'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { useStudio } from '../context.tsx'
import { find } from '../document/find.ts'
import { refKey } from '../document/node-ref.ts'

const MOST = 50

/** Looks for names, arguments and lines of bodies, and goes there. */
export function FindDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-veil" />
        <Dialog.Popup className="fixed inset-x-4 top-[10vh] z-20 mx-auto max-h-[75vh] max-w-xl overflow-y-auto rounded-lg border border-edge bg-raised p-4">
          <Dialog.Title className="font-semibold text-base">Find</Dialog.Title>
          <Finder onDone={() => onOpenChange(false)} />
          <Dialog.Close className="mt-3 min-h-11 cursor-pointer rounded-md border border-edge px-4 text-sm hover:border-accent">
            Close
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Finder({ onDone }: { onDone: () => void }) {
  const { state, store, openTab } = useStudio()
  const [query, setQuery] = useState('')
  const hits = find(state.document, query)
  const names = new Map(state.document.entries.map(({ id, name }) => [id, name]))
  return (
    <>
      <input
        type="search"
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type here
        autoFocus
        aria-label="Text to find in names, arguments and bodies"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        className="mono mt-2 min-h-11 w-full rounded-md border border-edge bg-ground px-3 text-sm"
      />
      <p role="status" className="py-2 text-ink-soft text-sm">
        {query.trim() === '' ? 'Names, arguments, and lines of bodies.' : `${hits.length} found`}
      </p>
      <ul>
        {hits.slice(0, MOST).map(({ at, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one node may be found by several of its lines
          <li key={`${refKey(at)}${index}`}>
            <button
              type="button"
              onClick={() => {
                openTab({ kind: 'entry', entryId: at.entryId })
                store.select([at])
                onDone()
              }}
              className="flex min-h-10 w-full cursor-pointer items-baseline gap-3 rounded-md px-2 py-1.5 text-left text-sm hover:bg-sunk"
            >
              <span className="mono min-w-0 flex-1 [overflow-wrap:anywhere]">{text}</span>
              <span className="mono shrink-0 text-ink-soft text-xs">{names.get(at.entryId)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
