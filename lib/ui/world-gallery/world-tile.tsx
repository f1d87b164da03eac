'use client'

import { Download, Volume2 } from 'lucide-react'
import { type ComponentType, type MouseEvent, useEffect, useRef, useState } from 'react'
import { canonicalPermission } from '../../domain/world-permissions.ts'
import type { ShownTile } from '../../site-data/gallery.ts'
import { ownerHref, worldHref } from '../entity-href.ts'
import { shortHex } from '../format.ts'
import { quietLink } from '../link-style.ts'
import { Avatar } from '../people/avatar.tsx'
import { TilePicture } from './tile-picture.tsx'

/** Who only passes over a picture does not mean it. */
const INTENT_MS = 350

/** Id of a tile's link, to come back to. */
export function tileLinkId(worldId: string): string {
  return `world-${worldId}`
}

/**
 * A World in the gallery: its picture, alive while it is pointed at or reached by keyboard, its name and its author.
 *
 * @param onOpen Opens it in place; without it, for a click that asks for a new tab, and where scripts do not run, the
 *   link leads to its page.
 * @param heading Level of its name.
 * @param first Among what a page shows first.
 */
export function WorldTile<T extends ShownTile>({
  tile,
  onOpen,
  heading: Heading = 'h2',
  first = false,
}: {
  tile: T
  onOpen?: (tile: T) => void
  heading?: 'h2' | 'h3'
  first?: boolean
}) {
  const { id, slug, owner, ownerName, summary, framed } = tile
  const { Live, look, leave } = useLiveness()
  const open = (event: MouseEvent) => {
    if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    leave()
    onOpen(tile)
  }
  return (
    <li
      className="group relative min-w-0"
      onPointerEnter={(event) => {
        if (event.pointerType === 'mouse') look()
      }}
      onPointerLeave={leave}
    >
      <div className="relative aspect-[4/3] overflow-hidden rounded-lg bg-sunk outline outline-line transition-[outline-color] group-hover:outline-accent">
        <TilePicture tile={tile} first={first} />
        {Live ? <Live id={id} /> : null}
      </div>
      <div className="mt-3 flex items-baseline justify-between gap-3">
        <Heading className="min-w-0 font-semibold text-base [overflow-wrap:anywhere]">
          <a
            id={tileLinkId(id)}
            href={worldHref(slug)}
            onClick={open}
            onFocus={(event) => {
              if (event.currentTarget.matches(':focus-visible')) look()
            }}
            onBlur={leave}
            className="outline-none decoration-2 decoration-accent underline-offset-4 after:absolute after:inset-0 after:rounded-lg group-hover:underline focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:outline-offset-4"
          >
            {framed.name}
          </a>
        </Heading>
        <Abilities permissions={framed.permissions} />
      </div>
      <p className="mt-1 line-clamp-2 text-ink-soft text-sm [overflow-wrap:anywhere]">{summary}</p>
      <p className="mt-2 text-sm">
        <a
          className={`${quietLink} relative inline-flex min-h-6 max-w-full items-center gap-2 pointer-coarse:min-h-11`}
          href={ownerHref(owner)}
        >
          <Avatar address={owner} className="size-5" />
          <span className={`truncate ${ownerName === undefined ? 'mono text-xs' : ''}`}>
            {ownerName ?? `0x${shortHex(owner)}`}
          </span>
        </a>
      </p>
    </li>
  )
}

/** What one would like to know before opening: that it sounds, that it offers files. */
function Abilities({ permissions }: { permissions: readonly string[] }) {
  const has = new Set(permissions.map(canonicalPermission))
  return (
    <span className="flex shrink-0 gap-2 text-ink-soft empty:hidden">
      {has.has('browser.audio') ? (
        <span title="With sound">
          <Volume2 className="size-4" aria-hidden="true" />
          <span className="sr-only">With sound</span>
        </span>
      ) : null}
      {has.has('browser.downloads') ? (
        <span title="Offers files">
          <Download className="size-4" aria-hidden="true" />
          <span className="sr-only">Offers files</span>
        </span>
      ) : null}
    </span>
  )
}

/** Loads the code of living pictures when somebody looks at one for a while and wants things to move. */
function useLiveness() {
  const [Live, setLive] = useState<ComponentType<{ id: string }>>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const looking = useRef(false)
  const leave = () => {
    looking.current = false
    clearTimeout(timer.current)
    setLive(undefined)
  }
  const look = () => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    looking.current = true
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      import('./live-picture.tsx').then(
        ({ LivePicture }) => {
          if (looking.current) setLive(() => LivePicture)
        },
        () => {
          // The still picture remains.
        },
      )
    }, INTENT_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return { Live, look, leave }
}
