'use client'

import { useCallback, useState } from 'react'
import { useMoreTiles } from '#lib/ui/lists/more-tiles.tsx'
import type { WallPage } from '#lib/views/wall.ts'
import { fetchTiles } from './requests.ts'
import { WallTile } from './wall-tile.tsx'

/**
 * The tiles of the wall.
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
  const { tiles, foot } = useMoreTiles(delivered, {
    page: '/discover',
    fetchPage: fetchTiles,
    keyOf: ({ name }) => name,
    noun: 'piece',
  })
  /** The one piece that sounds. */
  const [sounding, setSounding] = useState<string>()
  const onSound = useCallback((name: string, on: boolean) => setSounding(on ? name : undefined), [])
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
            far={index >= delivered.tiles.length}
            sounding={sounding === tile.name}
            onSound={onSound}
          />
        ))}
      </ul>
      {foot}
    </>
  )
}
