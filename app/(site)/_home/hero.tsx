import { shortHex } from '#lib/browser/format.ts'
import { entityHref, ownerHref } from '#lib/ui/components/entity-href.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { Title } from '#lib/ui/components/title.tsx'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { SeeItAs } from '#lib/ui/piece/see-it-as.tsx'
import { StillPlots } from '#lib/ui/plots/svg.tsx'
import { LiveRun } from '#lib/ui/studio/live/live-run.tsx'
import type { HomeView } from '#lib/views/home.ts'

const SENTENCE = 'Make music and moving pictures from patterns of numbers.'

/**
 * The top of the first page: what the site is, and a connector to play.
 *
 * @param sentence The operator's own first sentence.
 * @param hero Undefined where nothing generates.
 */
export function Hero({ sentence, hero }: { sentence: string | undefined; hero?: HomeView['hero'] }) {
  return (
    <section
      aria-labelledby="first"
      className={`${measure} grid items-center gap-x-12 gap-y-4 pt-3 sm:pt-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:grid-rows-[1fr_auto_auto_1fr] lg:gap-y-6`}
    >
      <div className="lg:row-start-2">
        <h1
          id="first"
          className="text-balance font-semibold text-[1.65rem] leading-tight tracking-[-0.03em] sm:text-[2.125rem] lg:text-[2.5rem]"
        >
          {sentence ?? SENTENCE}
        </h1>
        <p className="mt-3 max-w-[34rem] text-ink-soft sm:mt-4 sm:text-lg">
          For people who make music, art or code.{' '}
          <span className="sm:hidden">Press Play, move a slider, open your version in the studio. </span>
          <span className="max-sm:hidden">
            Press Play, move a slider, and hear and see it change. The studio opens your version: build on it
            with small parts that others share, and take it away as MIDI, sound or pictures.{' '}
          </span>
          Nothing to install, no account needed.
        </p>
      </div>
      {hero === undefined ? null : (
        <div className="min-w-0 lg:col-start-2 lg:row-span-4 lg:row-start-1">
          <LiveRun
            name={hero.connector}
            world={hero.world}
            present={hero.present}
            parts={hero.parts}
            shape="h-[clamp(10rem,calc(100dvh-34.75rem),24rem)] lg:h-[clamp(12rem,calc(100dvh-21rem),28rem)]"
          >
            {hero.still === undefined ? (
              <StillPlots streams={hero.streams} />
            ) : (
              // biome-ignore lint/performance/noImgElement: the World's own picture, until it runs
              <img
                src={hero.still}
                alt=""
                fetchPriority="high"
                className="absolute inset-0 size-full object-cover"
              />
            )}
          </LiveRun>
          <p className="text-ink-soft text-xs [overflow-wrap:anywhere]">
            <a
              className={`${textLink} ${hero.title === undefined ? 'mono' : ''}`}
              href={entityHref('connector', hero.connector)}
            >
              {hero.title === undefined ? hero.connector : <Title>{hero.title}</Title>}
            </a>{' '}
            by{' '}
            <a className={textLink} href={ownerHref(hero.owner)}>
              {hero.ownerName === undefined ? (
                <span className="mono">0x{shortHex(hero.owner)}</span>
              ) : (
                <bdi>{hero.ownerName}</bdi>
              )}
            </a>
          </p>
          <SeeItAs name={hero.connector} worlds={hero.worlds} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 text-sm lg:row-start-3">
        <ButtonLink href="/studio">Make your own</ButtonLink>
        <a className={`${textLink} py-3`} href="/discover">
          See all pieces
        </a>
        <a className={`${textLink} py-3`} href="/docs/lessons">
          Learn it step by step
        </a>
      </div>
    </section>
  )
}
