'use client'

import { useCallback, useEffect, useState } from 'react'
import { TextButton } from '#lib/ui/kit/button.tsx'
import { SearchField } from '#lib/ui/kit/field.tsx'
import type { Tile } from '#lib/views/gallery.ts'
import { fetchTiles } from './requests.ts'

export interface OfferedWorlds {
  /** Names the list. */
  readonly label: string
  readonly hrefOf: (slug: string) => string
  /** Slugs. */
  readonly leftOut: readonly (string | undefined)[]
}

/** Links to the newest Worlds, or to those that match a search. */
export function FoundWorlds({ label, hrefOf, leftOut }: OfferedWorlds) {
  const [wanted, setWanted] = useState('')
  const { found, again } = useFoundWorlds(wanted)
  const others = found?.tiles?.filter(({ slug }) => !leftOut.includes(slug)) ?? []
  return (
    <>
      {found === undefined ? null : (
        <SearchField label="Look for a World" value={wanted} onText={setWanted} className="mb-2" />
      )}
      <p role="status" className="text-ink-soft text-sm empty:hidden">
        {found === undefined ? (
          'Asking for Worlds…'
        ) : found.tiles === undefined ? (
          <>
            The list cannot be reached now. <TextButton onClick={again}>Try again</TextButton>
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

/** Delay after typing. */
const DEBOUNCE_MS = 140

interface Found {
  /** '' finds the newest. */
  readonly search: string
  /** Undefined after a failure. */
  readonly tiles: readonly Tile[] | undefined
}

/** The first page of Worlds that match a part of a name. */
function useFoundWorlds(wanted: string): {
  /** The last result, shown until the next; undefined before the first. */
  readonly found: Found | undefined
  readonly again: () => void
} {
  const [found, setFound] = useState<Found>()
  const [tries, setTries] = useState(0)
  const search = wanted.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry repeats the same request
  useEffect(() => {
    let isOver = false
    const answered = (tiles: readonly Tile[] | undefined) => {
      if (!isOver) setFound({ search, tiles })
    }
    const timer = setTimeout(
      () =>
        fetchTiles(`?${new URLSearchParams({ surface: 'world-page', q: search })}`).then(
          (page) => answered(page.tiles),
          () => answered(undefined),
        ),
      search === '' ? 0 : DEBOUNCE_MS,
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [search, tries])
  return { found, again: useCallback(() => setTries((before) => before + 1), []) }
}
