'use client'

import { Play, Square } from 'lucide-react'
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { worldPageHref } from '../../../lib/protocol/run-link.ts'
import { ButtonLink } from '../../../lib/ui/components/button.tsx'
import { entityHref } from '../../../lib/ui/components/entity-href.ts'
import { counted } from '../../../lib/ui/components/format.ts'
import { textLink } from '../../../lib/ui/components/link-style.ts'
import { measure } from '../../../lib/ui/components/measure.ts'
import { Weave } from '../../../lib/ui/components/weave.tsx'
import { fetchOpened } from '../../../lib/ui/world-gallery/requests.ts'
import type { OpenedWorld } from '../../../lib/views/gallery.ts'
import type { HomeView } from '../../../lib/views/home.ts'
import { WOVEN_STEPS, type Woven } from '../../../lib/views/run.ts'

interface Living {
  readonly World: ComponentType<{ opened: OpenedWorld }>
  readonly opened: OpenedWorld
}

/** Drawn in an empty network. */
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
        // Without particles a World may show nothing.
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

/** Calls `act` when the page is loaded and the browser is idle. @returns Cancels it. */
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

/** The top of the first page. */
export function Hero({ woven, worldId }: Partial<Pick<HomeView, 'woven' | 'worldId'>>) {
  return (
    <section className={`${measure} grid items-center gap-x-16 gap-y-10 pt-8 sm:pt-14 lg:grid-cols-2`}>
      <div>
        <h1 className="font-semibold text-3xl tracking-[-0.03em]">
          Small functions, woven into streams of numbers
        </h1>
        <p className="mt-6 max-w-[34rem] text-ink-soft text-lg">
          Weft is a network of tiny Solidity functions. Transformations chain into dimensions, dimensions join
          into connectors, and a connector runs into particles: here at once, and on chain with a result
          anyone can check again.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <ButtonLink look="primary" href="#particles">
            See particles
          </ButtonLink>
          <ButtonLink href="/docs/lessons">Make your first connector</ButtonLink>
          <ButtonLink href="/worlds">Browse Worlds</ButtonLink>
        </div>
      </div>
      <HeroFigure worldId={worldId} woven={woven} />
    </section>
  )
}
