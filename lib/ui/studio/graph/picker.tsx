'use client'

import { useState } from 'react'
import { StudioDialog } from '../common/dialog.tsx'
import { useDocument } from '../common/session.tsx'
import { usePublished } from '../library/use-published.ts'

const MAX_SHOWN = 60

/** Picks the target of a link: an own connector, a published one, or a new one. */
export function Picker({
  title,
  onPick,
  onNew,
  onClose,
}: {
  /** Undefined while closed. */
  title: string | undefined
  onPick: (name: string) => void
  onNew: () => void
  onClose: () => void
}) {
  return (
    <StudioDialog open={title !== undefined} onOpenChange={(open) => open || onClose()} title={title}>
      <Choices onPick={onPick} onNew={onNew} />
    </StudioDialog>
  )
}

function Choices({ onPick, onNew }: { onPick: (name: string) => void; onNew: () => void }) {
  const { entries } = useDocument()
  const { data = [] } = usePublished('connector')
  const [wanted, setWanted] = useState('')
  const exact = wanted.trim()
  const matches = (name: string) => name !== '' && name.toLowerCase().includes(exact.toLowerCase())
  const own = entries.filter(({ kind, name }) => kind === 'connector' && matches(name))
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
        aria-label="Name of a piece; Enter takes it as it is typed"
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
        A new piece
      </button>
      <ul>
        {own.slice(0, MAX_SHOWN).map(({ name }) => line(name, 'yours'))}
        {published.slice(0, MAX_SHOWN).map(({ name }) => line(name, 'published'))}
      </ul>
    </form>
  )
}
