'use client'

import { Play, Square } from 'lucide-react'
import { useState } from 'react'
import { shortHex } from '#lib/browser/format.ts'
import { Breakable } from '#lib/ui/components/breakable.tsx'
import { entityHref, ownerHref, TILE, tileHref } from '#lib/ui/components/entity-href.ts'
import { Title } from '#lib/ui/components/title.tsx'
import { useIntent } from '#lib/ui/components/use-intent.ts'
import { Press } from '#lib/ui/kit/button.tsx'
import { quietLink } from '#lib/ui/kit/link-style.ts'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import type { WallTile as Tile } from '#lib/views/wall.ts'
import type { LivingTileProps } from './living-tile.tsx'

const living = laterPart('The tile', () => import('./living-tile.tsx').then((loaded) => loaded.LivingTile))

/**
 * A piece on the wall: its picture, which comes to life where it is pointed at or focused, its title and its author. At
 * most three are alive: one under the pointer, one with the focus, one that sounds.
 *
 * @param sounding Whether its sound was asked for. Only one tile of a wall sounds.
 * @param first Whether to load its picture eagerly.
 * @param heading Level of its title.
 */
export function WallTile({
  tile: { name, title, owner, ownerName, madeFrom, hasWorld, worldName, hasSound },
  sounding,
  onSound,
  first,
  heading: Heading,
}: {
  tile: Tile
  sounding: boolean
  onSound: (on: boolean) => void
  first: boolean
  heading: 'h2' | 'h3'
}) {
  const { isIntended, enter, leave } = useIntent()
  const [trouble, setTrouble] = useState<string>()
  const called = title ?? name
  return (
    <li
      className="group relative min-w-0"
      data-piece={name}
      onPointerEnter={(event) => {
        if (event.pointerType === 'mouse') enter()
      }}
      onPointerLeave={leave}
    >
      <div
        className={`relative aspect-video overflow-hidden rounded-lg bg-sunk outline outline-line transition-[outline-color] group-hover:outline-accent ${hasWorld ? '' : 'played'}`}
      >
        {/* biome-ignore lint/performance/noImgElement: drawn by this server, in the size in which it is shown */}
        <img
          {...TILE}
          src={tileHref('connector', name)}
          alt=""
          loading={first ? 'eager' : 'lazy'}
          fetchPriority={first ? 'high' : 'auto'}
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
        {isIntended || sounding ? (
          <LoadLater
            part={living}
            props={{ name, sounding, onSound, onTrouble: setTrouble }}
            opening={null}
            instead={Still}
          />
        ) : null}
      </div>
      <Press
        title={sounding ? `Stop ${called}` : `Play ${called}`}
        aria-label={sounding ? `Stop ${called}` : `Play ${called}`}
        onClick={() => {
          setTrouble(undefined)
          onSound(!sounding)
        }}
        className="scripted relative z-over float-right mt-2 ml-3 grid size-11 place-items-center rounded-full border border-edge text-ink transition-colors hover:border-accent hover:bg-accent hover:text-on-accent"
      >
        {sounding ? (
          <Square className="size-4 fill-current" aria-hidden="true" />
        ) : (
          <Play className="size-4 translate-x-px fill-current" aria-hidden="true" />
        )}
      </Press>
      <Heading className="mt-3 min-w-0 font-semibold text-lg leading-snug">
        <a
          href={entityHref('connector', name)}
          onFocus={(event) => {
            if (event.currentTarget.matches(':focus-visible')) enter()
          }}
          onBlur={leave}
          className={`outline-none decoration-2 decoration-accent underline-offset-4 [overflow-wrap:anywhere] after:absolute after:inset-0 after:rounded-lg group-hover:underline focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:outline-offset-4 ${title === undefined ? 'mono text-base' : ''}`}
        >
          {title === undefined ? <Breakable name={name} /> : <Title className="line-clamp-2">{title}</Title>}
        </a>
      </Heading>
      <p className="mt-0.5 text-ink-soft text-sm [overflow-wrap:anywhere]">
        {hasSound ? <span className="sr-only">With sound, </span> : null}
        {worldName === undefined ? null : (
          <>
            <bdi data-world>{worldName}</bdi>,{' '}
          </>
        )}
        by{' '}
        <a className={`${quietLink} relative z-over`} href={ownerHref(owner)}>
          {ownerName ?? `0x${shortHex(owner)}`}
        </a>
        {madeFrom === undefined ? null : (
          <>
            , remixed from{' '}
            <a className={`${quietLink} relative z-over`} href={entityHref('connector', madeFrom.name)}>
              {madeFrom.title === undefined ? madeFrom.name : <Title>{madeFrom.title}</Title>}
            </a>
          </>
        )}
      </p>
      <p role="status" className="text-sm empty:hidden">
        {trouble}
      </p>
    </li>
  )
}

/** In place of life whose code cannot be loaded: the picture below it. */
function Still(_: LivingTileProps) {
  return null
}
