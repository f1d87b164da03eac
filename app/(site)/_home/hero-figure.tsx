'use client'

import { Play, Square } from 'lucide-react'
import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { worldPageHref } from '../../../lib/domain/world-link.ts'
import type { OpenedWorld } from '../../../lib/site-data/gallery.ts'
import { entityHref } from '../../../lib/ui/entity-href.ts'
import { textLink } from '../../../lib/ui/link-style.ts'
import { fetchOpened } from '../../../lib/ui/world-gallery/requests.ts'

interface Living {
  readonly World: ComponentType<{ opened: OpenedWorld }>
  readonly opened: OpenedWorld
}

/**
 * The picture of the first page, which a World takes over once everything else is there, unless the reader prefers
 * stillness; a button stops and starts it.
 *
 * @param worldId Undefined where there is no World to show.
 * @param caption Of the still picture.
 */
export function HeroFigure({
  worldId,
  caption,
  children,
}: {
  worldId: string | undefined
  caption: ReactNode
  children: ReactNode
}) {
  const [living, setLiving] = useState<Living>()
  const [on, setOn] = useState(false)
  const start = () => {
    if (worldId === undefined) return
    setOn(true)
    if (living !== undefined) return
    Promise.all([fetchOpened(worldId), import('../../../lib/ui/world-gallery/living-world.tsx')]).then(
      ([opened, { LivingWorld }]) => {
        // Fed by nothing, a World may have nothing to show.
        if (opened?.fed?.run.state === 'particles') setLiving({ World: LivingWorld, opened })
        else setOn(false)
      },
      () => setOn(false),
    )
  }
  const startByItself = useEffectEvent(start)
  useEffect(() => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    return whenQuiet(startByItself)
  }, [])
  const alive = on && living !== undefined
  return (
    <figure className="min-w-0">
      <div className="relative overflow-hidden rounded-lg">
        {children}
        {alive ? <living.World opened={living.opened} /> : null}
      </div>
      <figcaption className="mt-3 flex min-h-11 items-start justify-between gap-4 text-ink-soft text-xs">
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {alive ? <WhatDraws opened={living.opened} /> : caption}
        </span>
        {worldId === undefined ? null : (
          <button
            type="button"
            onClick={on ? () => setOn(false) : start}
            className="scripted -mt-2 inline-flex min-h-9 shrink-0 cursor-pointer items-center gap-1.5 rounded-md px-2 text-ink-soft transition-colors hover:bg-sunk hover:text-ink pointer-coarse:min-h-11"
          >
            {on ? (
              <Square className="size-3.5" aria-hidden="true" />
            ) : (
              <Play className="size-3.5" aria-hidden="true" />
            )}
            {on ? 'Stop' : 'Play'}
          </button>
        )}
      </figcaption>
    </figure>
  )
}

function WhatDraws({ opened: { tile, fed } }: { opened: OpenedWorld }) {
  if (fed === undefined) return null
  const { connector, count, dynamicRi } = fed
  return (
    <>
      <a className={textLink} href={worldPageHref(tile.slug, { connector, count, dynamicRi })}>
        {tile.framed.name}
      </a>
      , a World, draws{' '}
      <a className={`${textLink} mono`} href={entityHref('connector', connector)}>
        {connector}
      </a>{' '}
      as it runs now, in a frame that can reach nothing else.
    </>
  )
}

/** Calls once the page is complete and the browser has nothing better to do. @returns what gives it up. */
function whenQuiet(act: () => void): () => void {
  let stopped = false
  const quiet = () => {
    if (stopped) return
    if ('requestIdleCallback' in window) requestIdleCallback(() => stopped || act(), { timeout: 3000 })
    else setTimeout(() => stopped || act(), 500)
  }
  if (document.readyState === 'complete') quiet()
  else addEventListener('load', quiet, { once: true })
  return () => {
    stopped = true
    removeEventListener('load', quiet)
  }
}
