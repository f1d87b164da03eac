import type { Metadata } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { measure } from '#lib/ui/components/measure.ts'
import { Notice, Unreadable } from '#lib/ui/components/notice.tsx'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { WorldTile } from '#lib/ui/world-gallery/world-tile.tsx'
import { type HomeQuery, type HomeView, heldOf, homeView } from '#lib/views/home.ts'
import { readForPage, siteWords } from '#lib/views/read.ts'
import { particlesCount } from '#lib/views/run.ts'
import { Hero } from './_home/hero.tsx'
import { Counts, Holdings } from './_home/holdings.tsx'
import { Loom } from './_home/loom.tsx'
import type { Choice } from './_home/picker.tsx'

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { connector } = readQuery(await searchParams)
  const { name } = await siteWords()
  const title =
    connector === undefined ? `${name}: music and moving pictures from numbers` : `${connector} · ${name}`
  return { title: { absolute: title } }
}

export default async function HomePage({ searchParams }: Props) {
  await connection()
  const query = readQuery(await searchParams)
  const reading = await readForPage('the network', async (ctx) => ({
    view: await homeView(ctx, query),
    sentence: ctx.config.site.sentence,
  }))
  if (!reading.ok) return <UnreadablePage />
  const { view, sentence } = reading.value
  const { overview, shown, hero, worlds } = view
  return (
    <>
      <Hero sentence={sentence} hero={hero} />
      {worlds.length === 0 ? null : (
        <Section
          id="worlds"
          title="Worlds"
          lead={
            <>
              Instruments, pictures and things to play with, all driven by such numbers. See them all in the{' '}
              <a className={textLink} href="/worlds">
                gallery
              </a>
              .
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
      <Section
        id="particles"
        title="Particles"
        lead="Choose a connector and a count; every path becomes one stream."
      >
        {shown === undefined ? (
          <EmptyNetwork />
        ) : (
          <Loom
            // Remounts for another connector.
            key={`${shown.connector}/${query.count}`}
            choices={overview.connectors.map(toChoice)}
            request={{ connector: shown.connector, count: query.count }}
            delivered={shown}
          />
        )}
      </Section>
      <Section
        id="network"
        title="The network"
        lead={
          <>
            What is published: what the operator chose, what several accounts use, then what is new. All of it
            can be rebuilt from the chain; the{' '}
            <a className={textLink} href="/feed">
              feed
            </a>{' '}
            shows it as it happens.
          </>
        }
      >
        <Counts counts={overview.counts} />
        <div className="mt-12">
          <Holdings held={heldOf(overview, view.names)} />
        </div>
      </Section>
    </>
  )
}

function readQuery(params: Record<string, string | string[] | undefined>): HomeQuery {
  const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
  const connector = first(params.connector)?.trim().slice(0, 128)
  return { connector: connector || undefined, count: particlesCount(first(params.count)) }
}

function toChoice({ name, shape }: HomeView['overview']['connectors'][number]): Choice {
  return {
    name,
    paths: shape?.paths,
    conditionName: shape?.conditionName ?? '',
    conditionArgs: shape?.conditionArgs ?? [],
  }
}

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
        The first connector shows up on this page as soon as it is on chain. A server started with{' '}
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
      <div id="particles">
        <Unreadable again="/" />
      </div>
    </>
  )
}
