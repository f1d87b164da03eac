'use client'

import type { HomeView } from '../../../lib/site-data/home.ts'
import { ButtonLink } from '../../../lib/ui/button.tsx'
import { measure } from '../../../lib/ui/site-frame.tsx'
import { HeroFigure } from './hero-figure.tsx'

/** What Weft is, in one line and one picture made of real particles. */
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
