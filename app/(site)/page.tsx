import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { runHref } from '#lib/protocol/run-link.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { Notice, Unreadable } from '#lib/ui/components/notice.tsx'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { Wall } from '#lib/ui/wall/wall.tsx'
import { WorldTile } from '#lib/ui/world-gallery/world-tile.tsx'
import { homeView } from '#lib/views/home.ts'
import { firstOf, type QueryParams } from '#lib/views/query.ts'
import { readForPage, siteWords } from '#lib/views/read.ts'
import { particlesCount } from '#lib/views/run.ts'
import { Hero } from './_home/hero.tsx'
import { HowItWorks } from './_home/how-it-works.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const { name } = await siteWords()
  return { title: { absolute: `${name}: music and moving pictures from numbers` } }
}

export default async function HomePage({ searchParams }: { searchParams: Promise<QueryParams> }) {
  await connection()
  const params = await searchParams
  const connector = firstOf(params.connector)?.trim().slice(0, 128).toWellFormed()
  // Pages of earlier releases link to runs here.
  if (connector) redirect(runHref({ connector, count: particlesCount(firstOf(params.count)), dynamicRi: [] }))
  const reading = await readForPage('the network', async (ctx) => ({
    view: await homeView(ctx),
    sentence: ctx.config.site.sentence,
  }))
  if (!reading.ok) return <UnreadablePage />
  const { view, sentence } = reading.value
  const { hero, pieces, worlds } = view
  return (
    <>
      <Hero sentence={sentence} hero={hero} />
      {pieces.length === 0 ? (
        <div className={`${measure} mt-16`}>
          <EmptyNetwork />
        </div>
      ) : (
        <Section
          id="pieces"
          title="Pieces"
          lead={
            <>
              To look at, to listen to and to remix.{' '}
              <a className={textLink} href="/discover">
                See them all
              </a>
            </>
          }
        >
          <Wall delivered={{ tiles: pieces }} heading="h3" eager={0} />
        </Section>
      )}
      {worlds.length === 0 ? null : (
        <Section
          id="worlds"
          title="Worlds"
          lead={
            <>
              Instruments, pictures and things to play with, all driven by such numbers.{' '}
              <a className={textLink} href="/worlds">
                See them all
              </a>
            </>
          }
        >
          <ul className="grid gap-x-6 gap-y-10 [grid-template-columns:repeat(auto-fill,minmax(min(100%,16.5rem),1fr))]">
            {worlds.map((tile) => (
              <WorldTile key={tile.id} tile={tile} heading="h3" />
            ))}
          </ul>
        </Section>
      )}
      {hero === undefined ? null : (
        <Section id="how" title="How it works" lead="Three things, each of them small.">
          <HowItWorks streams={hero.streams} world={worlds[0]?.framed.previewUrl} />
        </Section>
      )}
      <Section
        id="programs"
        title="For programs"
        lead="Two APIs, a typed client, a command line and tools for agents: whatever a page does, a program can do."
      >
        <p className="flex flex-wrap gap-x-6">
          {PROGRAMS.map(([label, href]) => (
            <a key={href} className={`${textLink} py-2`} href={href}>
              {label}
            </a>
          ))}
        </p>
      </Section>
    </>
  )
}

const PROGRAMS = [
  ['Using the APIs', '/docs/using-the-apis'],
  ['By programs', '/docs/programs'],
  ['By an agent', '/docs/agents'],
  ['How it is built', '/docs/concepts'],
] as const

function Section({
  id,
  title,
  lead,
  children,
}: {
  id: string
  title: string
  lead: ReactNode
  children: ReactNode
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={`${measure} mt-20 sm:mt-28`}>
      <h2 id={`${id}-title`} className="font-semibold text-2xl tracking-tight">
        {title}
      </h2>
      <p className="mt-2 mb-8 max-w-prose text-ink-soft">{lead}</p>
      {children}
    </section>
  )
}

function EmptyNetwork() {
  return (
    <Notice title="Nothing is published here yet">
      <p>
        The first piece shows up on this page as soon as it is on chain. A server started with{' '}
        <code>npm start</code> and an empty chain publishes an example network by itself; it may still be at
        it, so try again in a moment.
      </p>
      <p>
        Or begin with your own in the{' '}
        <a className={textLink} href="/studio">
          studio
        </a>
        .
      </p>
      <ButtonLink href="/">Try again</ButtonLink>
    </Notice>
  )
}

function UnreadablePage() {
  return (
    <>
      <Hero sentence={undefined} />
      <Unreadable again="/" />
    </>
  )
}
