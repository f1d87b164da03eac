import type { Metadata } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../lib/ui/components/button.tsx'
import { textLink } from '../../lib/ui/components/link-style.ts'
import { measure } from '../../lib/ui/components/measure.ts'
import { Notice, Unreadable } from '../../lib/ui/components/notice.tsx'
import { WorldTile } from '../../lib/ui/world-gallery/world-tile.tsx'
import { type HomeQuery, type HomeView, heldOf, homeView } from '../../lib/views/home.ts'
import { readForPage } from '../../lib/views/read.ts'
import { particlesCount } from '../../lib/views/run.ts'
import { Hero } from './_home/hero.tsx'
import { Counts, Holdings } from './_home/holdings.tsx'
import { Loom } from './_home/loom.tsx'
import { NextSteps } from './_home/next-steps.tsx'
import type { Choice } from './_home/picker.tsx'

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { connector } = readQuery(await searchParams)
  const title = connector === undefined ? 'Weft: small functions, woven on chain' : `${connector} · Weft`
  return { title: { absolute: title } }
}

export default async function HomePage({ searchParams }: Props) {
  await connection()
  const query = readQuery(await searchParams)
  const reading = await readForPage('the network', async (ctx) => ({
    view: await homeView(ctx, query),
    origin: ctx.config.siteOrigin,
  }))
  if (!reading.ok) return <UnreadablePage />
  const { view, origin } = reading.value
  const { overview, shown, woven, worldId, worlds } = view
  return (
    <>
      <Hero woven={woven} worldId={worldId} />
      <div className={`${measure} mt-16 sm:mt-20`}>
        <Counts counts={overview.counts} />
      </div>
      {worlds.length === 0 ? null : (
        <Section
          id="worlds"
          title="Worlds"
          lead={
            <>
              What the numbers are for: sound, pictures, things to play with. See them all in the{' '}
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
            What is published, newest first. All of it can be rebuilt from the chain; the{' '}
            <a className={textLink} href="/feed">
              feed
            </a>{' '}
            shows it as it happens.
          </>
        }
      >
        <Holdings held={heldOf(overview)} />
      </Section>
      <Section
        id="next"
        title="Make your own"
        lead="Three calls lead from a line of Solidity to a name on chain."
      >
        <NextSteps origin={origin} connector={woven?.connector ?? 'pitch'} />
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
        Or begin with your own: draft a transformation and a connector through the{' '}
        <a className={textLink} href="/docs/api">
          API
        </a>
        , simulate, publish.
      </p>
      <ButtonLink href="/">Try again</ButtonLink>
    </Notice>
  )
}

function UnreadablePage() {
  return (
    <>
      <Hero />
      <div id="particles">
        <Unreadable again="/" />
      </div>
    </>
  )
}
