'use client'

import { useState } from 'react'
import type { Tile } from '../../site-data/gallery.ts'
import { fetchTiles } from './requests.ts'

/**
 * Worlds to choose from, each as the address of a page, to be shared; asked for when it is opened.
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
  const [tiles, setTiles] = useState<readonly Tile[]>()
  const [failed, setFailed] = useState(false)
  const load = () => {
    setFailed(false)
    fetchTiles('?surface=world-page').then(
      (page) => setTiles(page.tiles),
      () => setFailed(true),
    )
  }
  const others = tiles?.filter(({ slug }) => !leftOut.includes(slug))
  return (
    <details
      className="scripted"
      onToggle={(event) => {
        if (event.currentTarget.open && tiles === undefined) load()
      }}
    >
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium text-sm">{title}</summary>
      <p role="status" className="text-ink-soft text-sm empty:hidden">
        {failed ? (
          <>
            The list cannot be reached now.{' '}
            <button type="button" className="cursor-pointer underline" onClick={load}>
              Try again
            </button>
          </>
        ) : others === undefined ? (
          'Asking for Worlds…'
        ) : others.length === 0 ? (
          'There is no other World yet.'
        ) : null}
      </p>
      {others && others.length > 0 ? (
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
    </details>
  )
}
