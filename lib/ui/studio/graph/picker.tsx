'use client'

import { useState } from 'react'
import { Row } from '#lib/ui/kit/button.tsx'
import { TextField } from '#lib/ui/kit/field.tsx'
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
  const [text, setText] = useState('')
  const exact = text.trim()
  const matches = (name: string) => name !== '' && name.toLowerCase().includes(exact.toLowerCase())
  const own = entries.filter(({ kind, name }) => kind === 'connector' && matches(name))
  const ownNames = new Set(own.map(({ name }) => name))
  const published = data.filter(({ name }) => matches(name) && !ownNames.has(name))
  const line = (name: string, from: string) => (
    <li key={`${from} ${name}`}>
      <Row onClick={() => onPick(name)} className="min-h-10 items-baseline py-1.5">
        <span className="mono min-w-0 flex-1 [overflow-wrap:anywhere]">{name}</span>
        <span className="shrink-0 text-ink-soft text-xs">{from}</span>
      </Row>
    </li>
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (exact !== '') onPick(exact)
      }}
    >
      <TextField
        code
        type="search"
        // The dialog is opened to type here.
        autoFocus
        aria-label="Name of a piece; Enter takes it as it is typed"
        value={text}
        maxLength={128}
        onText={setText}
        className="mt-2"
      />
      <Row onClick={onNew} className="mt-2 min-h-10 font-medium">
        A new piece
      </Row>
      <ul>
        {own.slice(0, MAX_SHOWN).map(({ name }) => line(name, 'yours'))}
        {published.slice(0, MAX_SHOWN).map(({ name }) => line(name, 'published'))}
      </ul>
    </form>
  )
}
