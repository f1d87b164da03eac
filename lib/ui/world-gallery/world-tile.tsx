'use client'

import { Download, Music } from 'lucide-react'
import type { MouseEvent } from 'react'
import { shortHex } from '#lib/browser/format.ts'
import { canonicalPermission } from '#lib/protocol/world-manifest.ts'
import { Avatar } from '#lib/ui/components/avatar.tsx'
import { ownerHref, worldHref } from '#lib/ui/components/entity-href.ts'
import { useIntent } from '#lib/ui/components/use-intent.ts'
import { quietLink } from '#lib/ui/kit/link-style.ts'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { countWords } from '#lib/ui/people/counts.ts'
import type { ShownTile } from '#lib/views/gallery.ts'
import { TilePicture } from './tile-picture.tsx'

const live = laterPart('The World', () => import('./living-world.tsx').then((loaded) => loaded.LivePicture))

/** Id of a tile's link, for returning the focus. */
export function tileLinkId(worldId: string): string {
  return `world-${worldId}`
}

/**
 * A World in the gallery: its picture, which runs while hovered or focused, its name and its author.
 *
 * @param onOpen Opens it in place; by default the link leads to its page.
 * @param heading Level of its name.
 * @param first Whether to load its picture eagerly.
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
  const { id, slug, owner, ownerName, summary, framed, counts } = tile
  const { isIntended, enter, leave } = useIntent()
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
        if (event.pointerType === 'mouse') enter()
      }}
      onPointerLeave={leave}
    >
      <div className="relative aspect-[4/3] overflow-hidden rounded-lg bg-sunk outline outline-line transition-[outline-color] group-hover:outline-accent">
        <TilePicture tile={tile} first={first} />
        {isIntended ? <LoadLater part={live} props={{ id }} opening={null} instead={NoPicture} /> : null}
      </div>
      <div className="mt-3 flex items-baseline justify-between gap-3">
        <Heading className="min-w-0 font-semibold text-base [overflow-wrap:anywhere]">
          <a
            id={tileLinkId(id)}
            href={worldHref(slug)}
            onClick={open}
            onFocus={(event) => {
              if (event.currentTarget.matches(':focus-visible')) enter()
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
      <p className="mt-2 flex flex-wrap items-center justify-between gap-x-4 text-sm">
        <a
          className={`${quietLink} relative inline-flex min-h-6 max-w-full items-center gap-2 touch:min-h-11`}
          href={ownerHref(owner)}
        >
          <Avatar address={owner} className="size-5" />
          <span className={`truncate ${ownerName === undefined ? 'mono text-xs' : ''}`}>
            {ownerName ?? `0x${shortHex(owner)}`}
          </span>
        </a>
        {counts === undefined ? null : (
          <span className="text-ink-soft text-xs">{countWords(counts).join(', ')}</span>
        )}
      </p>
    </li>
  )
}

/** In place of code that cannot be loaded: the still picture remains. */
function NoPicture() {
  return null
}

/** Icons of a World with sound or downloads. */
function Abilities({ permissions }: { permissions: readonly string[] }) {
  const has = new Set(permissions.map(canonicalPermission))
  return (
    <span className="flex shrink-0 gap-2 text-ink-soft empty:hidden">
      {has.has('browser.audio') ? (
        <span title="With sound">
          <Music className="size-4" aria-hidden="true" />
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
