import type { HomeView } from '../../../lib/site-data/home.ts'
import { WOVEN_STEPS } from '../../../lib/site-data/home.ts'
import { ButtonLink } from '../../../lib/ui/button.tsx'
import { counted } from '../../../lib/ui/format.ts'
import { measure } from '../../../lib/ui/site-frame.tsx'
import { Weave } from '../../../lib/ui/weave.tsx'
import { HeroFigure } from './hero-figure.tsx'

/** Woven where the network has nothing to weave: the plain counting every connector starts from. */
const PLAIN = [0, 1, 2].map((start) =>
  Array.from({ length: WOVEN_STEPS }, (_, step) => (start + step * 5) % 8),
)

/** What Weft is, in one line and one picture made of real particles. */
export function Hero({ woven, worldId }: Partial<Pick<HomeView, 'woven' | 'worldId'>>) {
  const streams = woven?.streams.map(({ data }) => data) ?? PLAIN
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
      <HeroFigure
        worldId={worldId}
        caption={
          woven ? (
            <>
              <code className="text-ink">{woven.connector}</code>, {WOVEN_STEPS} steps of{' '}
              {counted(streams.length, 'path')}. A thread passes over the warp where its value is even, under
              it where it is odd.
            </>
          ) : (
            'A thread passes over the warp where its value is even, under it where it is odd.'
          )
        }
      >
        <Weave
          streams={streams}
          steps={WOVEN_STEPS}
          label={
            woven
              ? `The first ${WOVEN_STEPS} particles of ${woven.connector} as ${counted(streams.length, 'thread')} woven on a warp`
              : 'Three threads woven on a warp'
          }
        />
      </HeroFigure>
    </section>
  )
}
