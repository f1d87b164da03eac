'use client'

import { useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import type { OpenedWorld, Tiles } from '#lib/views/gallery.ts'
import { OpenedInPlace, useOpened } from './opened-in-place.tsx'
import { fetchTiles } from './requests.ts'
import { WorldTile } from './world-tile.tsx'

/** Tiles whose pictures are loaded eagerly: those above the fold of a phone. */
const FIRST = 1

/**
 * The tiles of the gallery. More are appended; an opened World is a dialog with its own URL.
 *
 * @param delivered The first page; remount for another query.
 * @param opened The World that the page's address opened.
 */
export function Gallery({ delivered, opened }: { delivered: Tiles; opened: OpenedWorld | null | undefined }) {
  const [{ tiles, next }, setShown] = useState(delivered)
  const [loading, setLoading] = useState<'no' | 'yes' | 'failed'>('no')
  const place = useOpened()
  const more = async () => {
    if (next === undefined || loading === 'yes') return
    setLoading('yes')
    try {
      const page = await fetchTiles(next)
      setShown((now) => {
        // A replaced World moves to the front: it may be listed already.
        const known = new Set(now.tiles.map(({ id }) => id))
        return { ...page, tiles: [...now.tiles, ...page.tiles.filter(({ id }) => !known.has(id))] }
      })
      setLoading('no')
    } catch {
      setLoading('failed')
    }
  }
  return (
    <>
      <ul
        aria-label="Worlds"
        className="grid gap-x-6 gap-y-10 [grid-template-columns:repeat(auto-fill,minmax(min(100%,16.5rem),1fr))]"
      >
        {tiles.map((tile, index) => (
          <WorldTile key={tile.id} tile={tile} first={index < FIRST} onOpen={({ id }) => place.open(id)} />
        ))}
      </ul>
      <div className="mt-12 flex flex-wrap items-center gap-x-5 gap-y-3">
        {next === undefined ? null : (
          <ButtonLink
            rel="next"
            href={`/worlds${next}`}
            aria-busy={loading === 'yes'}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
              event.preventDefault()
              void more()
            }}
          >
            {loading === 'yes' ? 'Loading…' : loading === 'failed' ? 'Try again' : 'More Worlds'}
          </ButtonLink>
        )}
        <p role="status" className="text-ink-soft text-sm">
          {loading === 'failed'
            ? 'They cannot be loaded right now.'
            : tiles.length > delivered.tiles.length
              ? `${counted(tiles.length, 'World')} shown`
              : ''}
        </p>
      </div>
      <OpenedInPlace
        id={place.id}
        delivered={opened}
        tile={tiles.find(({ id }) => id === place.id)}
        onClose={place.close}
      />
    </>
  )
}
