'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { useStudio } from '../context.tsx'
import { usePublished } from '../library/use-feed.ts'

const MOST = 60

/** Asks which connector a link should lead to: one of one's own, a published one, or a new one. */
export function Picker({
  title,
  onPick,
  onNew,
  onClose,
}: {
  /** Undefined while nothing is asked. */
  title: string | undefined
  onPick: (name: string) => void
  onNew: () => void
  onClose: () => void
}) {
  return (
    <Dialog.Root open={title !== undefined} onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-veil" />
        <Dialog.Popup className="fixed inset-x-4 top-[10vh] z-20 mx-auto max-h-[75vh] max-w-xl overflow-y-auto rounded-lg border border-edge bg-raised p-4">
          <Dialog.Title className="font-semibold text-base">{title}</Dialog.Title>
          <Choices onPick={onPick} onNew={onNew} />
          <Dialog.Close className="mt-3 min-h-11 cursor-pointer rounded-md border border-edge px-4 text-sm hover:border-accent">
            Close
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Choices({ onPick, onNew }: { onPick: (name: string) => void; onNew: () => void }) {
  const { state } = useStudio()
  const { data = [] } = usePublished('connector')
  const [wanted, setWanted] = useState('')
  const exact = wanted.trim()
  const matches = (name: string) => name !== '' && name.toLowerCase().includes(exact.toLowerCase())
  const own = state.document.entries.filter(({ kind, name }) => kind === 'connector' && matches(name))
  const ownNames = new Set(own.map(({ name }) => name))
  const published = data.filter(({ name }) => matches(name) && !ownNames.has(name))
  const line = (name: string, from: string) => (
    <li key={`${from} ${name}`}>
      <button
        type="button"
        onClick={() => onPick(name)}
        className="flex min-h-10 w-full cursor-pointer items-baseline gap-3 rounded-md px-2 py-1.5 text-left text-sm hover:bg-sunk"
      >
        <span className="mono min-w-0 flex-1 [overflow-wrap:anywhere]">{name}</span>
        <span className="shrink-0 text-ink-soft text-xs">{from}</span>
      </button>
    </li>
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (exact !== '') onPick(exact)
      }}
    >
      <input
        type="search"
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type here
        autoFocus
        aria-label="Name of a connector; Enter takes it as it is typed"
        value={wanted}
        maxLength={128}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setWanted(event.currentTarget.value)}
        className="mono mt-2 min-h-11 w-full rounded-md border border-edge bg-ground px-3 text-sm"
      />
      <button
        type="button"
        onClick={onNew}
        className="mt-2 min-h-10 w-full cursor-pointer rounded-md px-2 text-left font-medium text-sm hover:bg-sunk"
      >
        A new connector
      </button>
      <ul>
        {own.slice(0, MOST).map(({ name }) => line(name, 'yours'))}
        {published.slice(0, MOST).map(({ name }) => line(name, 'published'))}
      </ul>
    </form>
  )
}
