'use client'

import { useState } from 'react'
import { NarrowingField } from '../narrowing-field.tsx'
import { useFoundWorlds } from './use-found-worlds.ts'

export interface OfferedWorlds {
  /** Names the list. */
  readonly label: string
  readonly hrefOf: (slug: string) => string
  /** Slugs. */
  readonly leftOut: readonly (string | undefined)[]
}

/** Links to the newest Worlds, or to those that are called what people type. */
export function FoundWorlds({ label, hrefOf, leftOut }: OfferedWorlds) {
  const [wanted, setWanted] = useState('')
  const { found, again } = useFoundWorlds(wanted)
  const others = found?.tiles?.filter(({ slug }) => !leftOut.includes(slug)) ?? []
  return (
    <>
      {found === undefined ? null : (
        <NarrowingField label="Look for a World" value={wanted} onText={setWanted} className="mb-2" />
      )}
      <p role="status" className="text-ink-soft text-sm empty:hidden">
        {found === undefined ? (
          'Asking for Worlds…'
        ) : found.tiles === undefined ? (
          <>
            The list cannot be reached now.{' '}
            <button type="button" className="cursor-pointer underline" onClick={again}>
              Try again
            </button>
          </>
        ) : others.length > 0 ? null : found.search === '' ? (
          'There is no other World yet.'
        ) : (
          'No other World is called that.'
        )}
      </p>
      {others.length > 0 ? (
        <ul
          aria-label={label}
          className="max-h-72 overflow-y-auto rounded-md border border-line"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
          tabIndex={0}
        >
          {others.map((tile) => (
            <li key={tile.id} className="border-line not-first:border-t">
              <a
                href={hrefOf(tile.slug)}
                className="flex min-h-11 items-center px-3 py-2 text-sm transition-colors [overflow-wrap:anywhere] hover:bg-sunk"
              >
                {tile.framed.name}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
