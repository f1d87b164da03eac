'use client'

import { useMoreTiles } from '#lib/ui/lists/more-tiles.tsx'
import type { OpenedWorld, Tiles } from '#lib/views/gallery.ts'
import { OpenedInPlace, useOpened } from './opened-in-place.tsx'
import { fetchTiles } from './requests.ts'
import { WorldTile } from './world-tile.tsx'

/** Tiles whose pictures are loaded eagerly: those above the fold of a phone. */
const FIRST = 1

/**
 * The tiles of the gallery; an opened World is a dialog with its own URL.
 *
 * @param delivered The first page; remount for another query.
 * @param opened The World that the page's address opened.
 */
export function Gallery({ delivered, opened }: { delivered: Tiles; opened: OpenedWorld | null | undefined }) {
  const { pages, foot } = useMoreTiles(delivered, {
    page: '/worlds',
    fetchPage: fetchTiles,
    keyOf: ({ id }) => id,
    noun: 'World',
  })
  const tiles = pages.flat()
  const place = useOpened()
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
      {foot}
      <OpenedInPlace
        id={place.id}
        delivered={opened}
        tile={tiles.find(({ id }) => id === place.id)}
        onClose={place.close}
      />
    </>
  )
}
