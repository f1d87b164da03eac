'use client'

import { type ReactNode, useState } from 'react'
import { useFoundWorlds } from './use-found-worlds.ts'

/**
 * Worlds to choose from, each as the address of a page, to be shared; asked for when it is opened. The newest, or those
 * that are called what people type.
 *
 * @param label Names the list.
 * @param leftOut Slugs.
 */
export function WorldChoice({
  title,
  label,
  hrefOf,
  leftOut,
}: {
  title: string
  label: string
  hrefOf: (slug: string) => string
  leftOut: readonly (string | undefined)[]
}) {
  const [isAsked, setAsked] = useState(false)
  const [wanted, setWanted] = useState('')
  const { found, again } = useFoundWorlds(isAsked ? wanted : undefined)
  const others = found?.tiles?.filter(({ slug }) => !leftOut.includes(slug)) ?? []
  return (
    <details
      className="scripted"
      onToggle={(event) => {
        if (event.currentTarget.open) setAsked(true)
      }}
    >
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium text-sm">{title}</summary>
      {found === undefined ? null : (
        <input
          type="search"
          aria-label="Look for a World"
          placeholder="Name"
          value={wanted}
          maxLength={128}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setWanted(event.currentTarget.value)}
          className="mb-2 min-h-9 w-full rounded-md border border-edge bg-raised px-2 text-sm pointer-coarse:min-h-11"
        />
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
        <List label={label}>
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
        </List>
      ) : null}
    </details>
  )
}

function List({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul
      aria-label={label}
      className="max-h-72 overflow-y-auto rounded-md border border-line"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
      tabIndex={0}
    >
      {children}
    </ul>
  )
}
