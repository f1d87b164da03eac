'use client'

import { memo, useCallback, useState } from 'react'
import { useMoreTiles } from '#lib/ui/lists/more-tiles.tsx'
import type { WallTile as Tile, WallPage } from '#lib/views/wall.ts'
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
  const { pages, foot } = useMoreTiles(delivered, {
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
      <div className="space-y-9">
        {pages.map((tiles, index) => (
          <WallPart
            key={tiles[0]?.name ?? index}
            label={index === 0 ? 'Pieces' : `Pieces, page ${index + 1}`}
            tiles={tiles}
            heading={heading}
            eager={index === 0 ? eager : 0}
            far={index > 0}
            sounding={tiles.some(({ name }) => name === sounding) ? sounding : undefined}
            onSound={onSound}
          />
        ))}
      </div>
      {foot}
    </>
  )
}

/** Laid out only near the viewport. As a whole: the browser looks at each such element again in each frame. */
const FAR = '[contain-intrinsic-size:auto_160rem] [content-visibility:auto] [overflow-clip-margin:0.5rem]'

/** A page of the wall, rendered again only where it changes: a wall grows to thousands of tiles. */
const WallPart = memo(function WallPart({
  label,
  tiles,
  heading,
  eager,
  far,
  sounding,
  onSound,
}: {
  label: string
  tiles: readonly Tile[]
  heading: 'h2' | 'h3'
  eager: number
  far: boolean
  sounding: string | undefined
  onSound: (name: string, on: boolean) => void
}) {
  return (
    <ul
      aria-label={label}
      className={`grid gap-x-6 gap-y-9 [grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr))] ${far ? FAR : ''}`}
    >
      {tiles.map((tile, index) => (
        <WallTile
          key={tile.name}
          tile={tile}
          heading={heading}
          first={index < eager}
          sounding={sounding === tile.name}
          onSound={(on) => onSound(tile.name, on)}
        />
      ))}
    </ul>
  )
})
