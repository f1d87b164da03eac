'use client'

import { useId, useState } from 'react'
import { isEntityName } from '#lib/protocol/names.ts'
import type { Compatibility } from '#lib/protocol/world-compatibility.ts'
import { PieceName } from '#lib/ui/components/piece-name.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { TextField } from '#lib/ui/kit/field.tsx'
import { FitBadge } from './fit-badge.tsx'

export interface OfferedChoice {
  readonly name: string
  readonly title?: string | undefined
  readonly compatibility: Compatibility
}

/**
 * Pieces a World can be fed with, the best first, and a field for any other.
 *
 * @param hrefOf The same choice as an address, for readers without a script.
 */
export function ConnectorChoice({
  choices,
  chosen,
  hrefOf,
  onChoose,
}: {
  choices: readonly OfferedChoice[]
  chosen: string
  hrefOf: (name: string) => string
  onChoose: (name: string) => void
}) {
  return (
    <div>
      <ul
        aria-label="Pieces"
        className="max-h-72 overflow-y-auto rounded-md border border-line"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        tabIndex={0}
      >
        {choices.map(({ name, title, compatibility }) => (
          <li key={name} className="border-line not-first:border-t">
            <a
              href={hrefOf(name)}
              title={compatibility.reason}
              aria-current={name === chosen ? 'true' : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
                event.preventDefault()
                onChoose(name)
              }}
              className="flex min-h-11 items-center justify-between gap-3 px-3 py-2 text-sm transition-colors hover:bg-sunk aria-[current]:bg-sunk aria-[current]:font-semibold"
            >
              <PieceName name={name} title={title} />
              <FitBadge fit={compatibility.fit} />
            </a>
          </li>
        ))}
      </ul>
      <OtherConnector onChoose={onChoose} />
    </div>
  )
}

function OtherConnector({ onChoose }: { onChoose: (name: string) => void }) {
  const field = useId()
  const [name, setName] = useState('')
  const wrong = name !== '' && !isEntityName(name.trim())
  return (
    <form
      className="scripted mt-3 flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEntityName(name.trim())) return
        onChoose(name.trim())
        setName('')
      }}
    >
      <div className="min-w-40 flex-1">
        <label htmlFor={field} className="block text-sm">
          Another piece, by its name
        </label>
        <TextField
          wrong={wrong}
          code
          id={field}
          value={name}
          maxLength={128}
          aria-describedby={wrong ? `${field}-said` : undefined}
          onText={setName}
          className="mt-1"
        />
      </div>
      <Button type="submit" disabled={name.trim() === '' || wrong}>
        Feed it
      </Button>
      {wrong ? (
        <p id={`${field}-said`} role="status" className="basis-full text-ink-soft text-xs">
          No piece can be called that.
        </p>
      ) : null}
    </form>
  )
}
