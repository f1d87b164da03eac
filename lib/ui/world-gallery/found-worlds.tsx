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
  const [text, setText] = useState('')
  const { result, again } = useFoundWorlds(text)
  const others = result?.tiles?.filter(({ slug }) => !leftOut.includes(slug)) ?? []
  return (
    <>
      {result === undefined ? null : (
        <SearchField label="Look for a World" value={text} onText={setText} className="mb-2" />
      )}
      <p role="status" className="text-ink-soft text-sm empty:hidden">
        {result === undefined ? (
          'Asking for Worlds…'
        ) : result.tiles === undefined ? (
          <>
            The list cannot be reached now. <TextButton onClick={again}>Try again</TextButton>
          </>
        ) : others.length > 0 ? null : result.search === '' ? (
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

interface SearchResult {
  /** '' finds the newest. */
  readonly search: string
  /** Undefined after a failure. */
  readonly tiles: readonly Tile[] | undefined
}

/** The first page of Worlds that match a part of a name. */
function useFoundWorlds(text: string): {
  /** The last result, shown until the next; undefined before the first. */
  readonly result: SearchResult | undefined
  readonly again: () => void
} {
  const [result, setResult] = useState<SearchResult>()
  const [tries, setTries] = useState(0)
  const search = text.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry repeats the same request
  useEffect(() => {
    let isOver = false
    const answered = (tiles: readonly Tile[] | undefined) => {
      if (!isOver) setResult({ search, tiles })
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
  return { result, again: useCallback(() => setTries((before) => before + 1), []) }
}
