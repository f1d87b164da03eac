'use client'

import { useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import type { WallPage } from '#lib/views/wall.ts'
import { fetchTiles } from './requests.ts'
import { WallTile } from './wall-tile.tsx'

/**
 * The tiles of the wall. More are appended where a script runs; without one, the link leads to the next page.
 *
 * @param delivered The first page; remount for another query.
 * @param heading Level of the titles.
 * @param eager Tiles whose pictures are loaded eagerly: those above the fold.
 */
export function Wall({
  delivered,
  heading = 'h2',
  eager = 3,
}: {
  delivered: WallPage
  heading?: 'h2' | 'h3'
  eager?: number
}) {
  const [{ tiles, next }, setShown] = useState(delivered)
  const [loading, setLoading] = useState<'no' | 'yes' | 'failed'>('no')
  /** The one piece that sounds. */
  const [sounding, setSounding] = useState<string>()
  const more = async () => {
    if (next === undefined || loading === 'yes') return
    setLoading('yes')
    try {
      const page = await fetchTiles(next)
      setShown((now) => {
        // A piece that was published meanwhile moves others of its author down.
        const known = new Set(now.tiles.map(({ name }) => name))
        return { ...page, tiles: [...now.tiles, ...page.tiles.filter(({ name }) => !known.has(name))] }
      })
      setLoading('no')
    } catch {
      setLoading('failed')
    }
  }
  return (
    <>
      <ul
        aria-label="Pieces"
        className="grid gap-x-6 gap-y-9 [grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr))]"
      >
        {tiles.map((tile, index) => (
          <WallTile
            key={tile.name}
            tile={tile}
            heading={heading}
            first={index < eager}
            sounding={sounding === tile.name}
            onSound={(on) => setSounding(on ? tile.name : undefined)}
          />
        ))}
      </ul>
      <div className="mt-12 flex flex-wrap items-center gap-x-5 gap-y-3">
        {next === undefined ? null : (
          <ButtonLink
            rel="next"
            href={`/discover${next}`}
            aria-busy={loading === 'yes'}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
              event.preventDefault()
              void more()
            }}
          >
            {loading === 'yes' ? 'Loading…' : loading === 'failed' ? 'Try again' : 'More pieces'}
          </ButtonLink>
        )}
        <p role="status" className="text-ink-soft text-sm">
          {loading === 'failed'
            ? 'They cannot be loaded right now.'
            : tiles.length > delivered.tiles.length
              ? `${counted(tiles.length, 'piece')} shown`
              : ''}
        </p>
      </div>
    </>
  )
}
