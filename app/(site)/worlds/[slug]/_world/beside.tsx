'use client'

import { useEffect, useState } from 'react'
import {
  type Compatibility,
  type WorldNeeds,
  worldCompatibility,
} from '../../../../../lib/domain/world-compatibility.ts'
import { worldPageHref } from '../../../../../lib/domain/world-link.ts'
import type { Tile } from '../../../../../lib/site-data/gallery.ts'
import type { BesideWorld } from '../../../../../lib/site-data/world-beside.ts'
import { textLink } from '../../../../../lib/ui/link-style.ts'
import { fetchStarts } from '../../../../../lib/ui/world/feed/fetch-starts.ts'
import { FitSign } from '../../../../../lib/ui/world/feed/fit-sign.tsx'
import type { Feed } from '../../../../../lib/ui/world/feed/use-feed.ts'
import { WorldFrame } from '../../../../../lib/ui/world/world-frame.tsx'
import { fetchTiles } from '../../../../../lib/ui/world-gallery/requests.ts'

type Asked = Feed['asked']

/** Another World drawing the same run, with how well that suits it. */
export function BesideFrame({
  slug,
  beside,
  feed,
  shape,
}: {
  /** Of the World whose page this is. */
  slug: string
  beside: BesideWorld
  feed: Feed
  shape: string
}) {
  const { framed, needs } = beside
  const fit = useFit(needs, feed.asked.connector)
  return (
    <section aria-label={`Beside it: ${framed.name}`} className="min-w-0">
      <WorldFrame world={framed} payload={feed.payload} shape={shape} />
      <div className="mt-1 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
        <a className={`${textLink} font-medium`} href={worldPageHref(beside.slug, feed.asked)}>
          {framed.name}
        </a>
        {fit ? <FitSign fit={fit.fit} /> : null}
        <a className={textLink} href={worldPageHref(slug, feed.asked)}>
          Take it away
        </a>
      </div>
      {fit ? <p className="mt-1 text-ink-soft text-sm">{fit.reason}</p> : null}
    </section>
  )
}

/** Worlds to put beside this one; each is a page of its own, to be shared. */
export function BesideChoice({
  slug,
  beside,
  asked,
}: {
  slug: string
  beside: string | undefined
  asked: Asked
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
  const others = tiles?.filter((tile) => tile.slug !== slug && tile.slug !== beside)
  return (
    <details
      className="scripted mt-3"
      onToggle={(event) => {
        if (event.currentTarget.open && tiles === undefined) load()
      }}
    >
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium text-sm">
        Another World beside it
      </summary>
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
          aria-label="Worlds to put beside it"
          className="max-h-72 overflow-y-auto rounded-md border border-line"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
          tabIndex={0}
        >
          {others.map((tile) => (
            <li key={tile.id} className="border-line not-first:border-t">
              <a
                href={worldPageHref(slug, asked, tile.slug)}
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

function useFit(needs: WorldNeeds, connector: string): Compatibility | undefined {
  const [known, setKnown] = useState<{ readonly connector: string; readonly fit: Compatibility }>()
  useEffect(() => {
    let left = false
    fetchStarts(connector).then(
      (offered) => {
        if (!left) setKnown({ connector, fit: worldCompatibility(needs, offered) })
      },
      () => {
        // Nothing is said about what is not known.
      },
    )
    return () => {
      left = true
    }
  }, [needs, connector])
  return known?.connector === connector ? known.fit : undefined
}
