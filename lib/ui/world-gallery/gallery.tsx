'use client'

import { useState } from 'react'
import type { OpenedWorld, Tiles } from '../../site-data/gallery.ts'
import { ButtonLink } from '../button.tsx'
import { counted } from '../format.ts'
import { OpenedInPlace } from './opened-in-place.tsx'
import { fetchTiles } from './requests.ts'
import { useOpened } from './use-opened.ts'
import { WorldTile } from './world-tile.tsx'

/** Tiles whose pictures are loaded at once: what a phone shows first. The others share its line to the server. */
const FIRST = 1

/**
 * Worlds as pictures. More of them are put below those that are there, and nothing that is there moves; one that is
 * opened comes in front, under an address of its own.
 *
 * @param delivered What the page came with; another list is another element.
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
        // One that was replaced meanwhile is new again, and here already.
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
