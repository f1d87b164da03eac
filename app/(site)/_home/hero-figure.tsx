'use client'

import { Play, Square } from 'lucide-react'
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { worldPageHref } from '../../../lib/domain/world-link.ts'
import type { OpenedWorld } from '../../../lib/site-data/gallery.ts'
import { WOVEN_STEPS, type Woven } from '../../../lib/site-data/woven.ts'
import { entityHref } from '../../../lib/ui/entity-href.ts'
import { counted } from '../../../lib/ui/format.ts'
import { textLink } from '../../../lib/ui/link-style.ts'
import { Weave } from '../../../lib/ui/weave.tsx'
import { fetchOpened } from '../../../lib/ui/world-gallery/requests.ts'

interface Living {
  readonly World: ComponentType<{ opened: OpenedWorld }>
  readonly opened: OpenedWorld
}

/** Woven where the network has nothing to weave: the plain counting every connector starts from. */
const PLAIN = [0, 1, 2].map((start) =>
  Array.from({ length: WOVEN_STEPS }, (_, step) => (start + step * 5) % 8),
)

/**
 * The picture of the first page, made of real particles, which a World takes over once everything else is there, unless the reader prefers
 * stillness; a button stops and starts it.
 *
 * @param worldId Undefined where there is no World to show.
 * @param woven Undefined where nothing generates.
 */
export function HeroFigure({ worldId, woven }: { worldId: string | undefined; woven: Woven | undefined }) {
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
        <StillPicture woven={woven} />
        {alive ? <living.World opened={living.opened} /> : null}
      </div>
      <figcaption className="mt-3 flex min-h-11 items-start justify-between gap-4 text-ink-soft text-xs">
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {alive ? <WhatDraws opened={living.opened} /> : <WhatIsWoven woven={woven} />}
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

function StillPicture({ woven }: { woven: Woven | undefined }) {
  return (
    <Weave
      streams={woven?.streams ?? PLAIN}
      steps={WOVEN_STEPS}
      label={
        woven
          ? `The first ${WOVEN_STEPS} particles of ${woven.connector} as ${counted(woven.streams.length, 'thread')} woven on a warp`
          : 'Three threads woven on a warp'
      }
    />
  )
}

function WhatIsWoven({ woven }: { woven: Woven | undefined }) {
  if (woven === undefined)
    return 'A thread passes over the warp where its value is even, under it where it is odd.'
  return (
    <>
      <code className="text-ink">{woven.connector}</code>, {WOVEN_STEPS} steps of{' '}
      {counted(woven.streams.length, 'path')}. A thread passes over the warp where its value is even, under it
      where it is odd.
    </>
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
