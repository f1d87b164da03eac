import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { cache } from 'react'
import { counted, formatInteger, shortHex } from '#lib/browser/format.ts'
import { MAX_COUNTED } from '#lib/core/entities/remixes.ts'
import { checksumAddress } from '#lib/protocol/address.ts'
import { readRunLink, worldPageHref } from '#lib/protocol/run-link.ts'
import { readSlots } from '#lib/protocol/world-slots.ts'
import { Avatar } from '#lib/ui/components/avatar.tsx'
import { ownerHref } from '#lib/ui/components/entity-href.ts'
import { Fact, Facts } from '#lib/ui/components/facts.tsx'
import { measure } from '#lib/ui/components/measure.ts'
import { Notice, Unreadable } from '#lib/ui/components/notice.tsx'
import { PageHead } from '#lib/ui/components/page-head.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { TimeAgo } from '#lib/ui/components/time-ago.tsx'
import { hasRemixes, RemixTree } from '#lib/ui/entity/remix-tree.tsx'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { CopyButton } from '#lib/ui/kit/copy-button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { ReportForm } from '#lib/ui/piece/report-form.tsx'
import { Streams } from '#lib/ui/plots/streams.tsx'
import { formatBytes } from '#lib/ui/world/error-messages.ts'
import { PermissionSection } from '#lib/ui/world/permissions.tsx'
import { WorldFrame } from '#lib/ui/world/world-frame.tsx'
import { OwnerControls } from '#lib/ui/world-editor/owner/owner-controls.tsx'
import { sharedPage, sharedPicture } from '#lib/views/page-metadata.ts'
import { readForPage } from '#lib/views/read.ts'
import { drawingWorld, type WorldQuery, type WorldView, worldView } from '#lib/views/world.ts'
import { WorldBoard } from './_world/board.tsx'

interface Props {
  params: Promise<{ slug: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const NONE_BESIDE = 'There is no such World to put beside it.'
/** Streams shown to readers without a script. */
const SHOWN = 6
const SUMMARY_CHARACTERS = 200

/** One read for metadata and page. */
const readWorld = cache((slug: string, query: string) => {
  const read = readWorldQuery(JSON.parse(query) as Record<string, string | string[]>)
  return readForPage('a World', async (ctx) => {
    const other = read.beside === slug ? undefined : read.beside
    const [view, beside] = await Promise.all([
      worldView(ctx, slug, read.query),
      other === undefined ? undefined : drawingWorld(ctx, other),
    ])
    const missing = other !== undefined && beside === undefined
    const problems = missing ? [...read.problems, NONE_BESIDE] : read.problems
    return { view, beside, problems }
  })
})

async function readProps({ params, searchParams }: Props) {
  const { slug } = await params
  return { slug, reading: await readWorld(slug, JSON.stringify(await searchParams)) }
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  await connection()
  const { slug, reading } = await readProps(props)
  const view = reading.ok ? reading.value.view : undefined
  if (view === undefined) return { title: slug }
  return sharedPage({
    title: `${view.world.manifest.name}, World`,
    description: summary(view),
    href: worldPageHref(slug),
    picture: sharedPicture(view.framed) ?? { kind: 'world', name: slug },
    embeddable: true,
  })
}

function summary({ world: { manifest } }: WorldView): string {
  const text = manifest.shortDescription ?? manifest.description
  return text.length <= SUMMARY_CHARACTERS ? text : `${text.slice(0, SUMMARY_CHARACTERS - 1)}…`
}

export default async function WorldPage(props: Props) {
  await connection()
  const { slug, reading } = await readProps(props)
  if (!reading.ok) return <Unreadable title={slug} code again={worldPageHref(slug)} />
  const { view, beside, problems } = reading.value
  if (view === undefined) notFound()
  const { world, framed, fed, candidates } = view
  const { manifest } = world
  const needs = {
    acceptedFormatHashes: manifest.acceptedFormatHashes,
    acceptedConnectorSets: manifest.acceptedConnectorSets,
  }
  const below = (
    <div className="max-w-[42rem] space-y-4">
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{manifest.description}</p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={`${worldPageHref(slug)}/source`}>View source</ButtonLink>
      </div>
    </div>
  )
  const facts = (
    <>
      {hasRemixes(view.remixes) ? (
        <Part id="remixes" title="Remixes">
          <RemixTree remixes={view.remixes} mostCounted={MAX_COUNTED} />
        </Part>
      ) : null}
      <PermissionSection permissions={manifest.permissions} />
      <Part id="about" title="About it">
        <AboutWorld view={view} />
      </Part>
      <OwnerControls
        worldId={world.id}
        slug={slug}
        owner={world.owner}
        captured={world.captured !== undefined}
      />
      <ReportForm kind="world" name={world.id} what="this World" />
    </>
  )
  return (
    <>
      <PageHead
        eyebrow={
          <>
            World by{' '}
            <a className={textLink} href={ownerHref(world.owner)}>
              <bdi>{view.ownerName ?? `0x${shortHex(world.owner)}`}</bdi>
            </a>
          </>
        }
        title={manifest.name}
        lead={manifest.shortDescription ? <p className="line-clamp-2">{manifest.shortDescription}</p> : null}
      />
      <div className={`${measure} mt-4 space-y-8`}>
        <Problems view={view} problems={problems} slug={slug} />
        {fed === undefined ? (
          <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_23rem] lg:items-start">
            <div className="min-w-0 space-y-8">
              <WorldFrame world={framed} payload={undefined} />
              {below}
            </div>
            <aside aria-label="What feeds it" className="min-w-0 space-y-10">
              <Notice title="Nothing to feed it with">
                <p>This network has no pieces yet. The first one makes this World draw.</p>
                <ButtonLink href="/studio">Make one</ButtonLink>
              </Notice>
              {facts}
            </aside>
          </div>
        ) : (
          <WorldBoard
            // Remounts for another bundle or connector.
            key={`${world.bundleHash} ${fed.connector} ${beside?.slug}`}
            slug={slug}
            id={world.id}
            owner={world.owner}
            likes={view.counts.likes}
            world={framed}
            needs={needs}
            delivered={fed}
            choices={candidates}
            worlds={view.worlds}
            beside={beside}
            origin={view.origin}
            below={
              <>
                {below}
                <WithoutScript view={view} />
              </>
            }
          >
            {facts}
          </WorldBoard>
        )}
      </div>
    </>
  )
}

/** Problems of the address. */
function Problems({
  view: { unknown, fed },
  problems,
  slug,
}: {
  view: WorldView
  problems: readonly string[]
  slug: string
}) {
  const lines = [...problems, ...(unknown === undefined ? [] : [`There is no piece ${unknown}.`])]
  if (lines.length === 0) return null
  return (
    <Notice title="The address asks for something else">
      <ul className="list-disc space-y-1 pl-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {fed && lines.some((line) => line !== NONE_BESIDE) ? (
        <p>
          Instead the World is fed by <code>{fed.connector}</code>.
        </p>
      ) : null}
      <ButtonLink href={worldPageHref(slug)}>Its own address</ButtonLink>
    </Notice>
  )
}

/** The numbers a World would draw, for readers without scripts. */
function WithoutScript({ view: { fed } }: { view: WorldView }) {
  return (
    <noscript>
      <p className="mt-8">A World is drawn by a script, and scripts are switched off here.</p>
      {fed?.run.state === 'particles' ? (
        <div className="mt-4">
          <p className="pb-2">
            It would draw these numbers of <code>{fed.connector}</code>:
          </p>
          <Streams
            streams={fed.run.streams.slice(0, SHOWN)}
            rows={Math.min(SHOWN, fed.run.streams.length)}
            count={fed.run.streams[0]?.data.length ?? 1}
            busy={false}
          />
        </div>
      ) : null}
    </noscript>
  )
}

const SURFACES: Readonly<Record<string, string>> = {
  'world-page': 'this page',
  'studio-plugin': 'the studio',
}

/** Author, version and hashes of a World. */
function AboutWorld({ view: { world, ownerName, remixes, size, counts, nowMs } }: { view: WorldView }) {
  const { manifest } = world
  return (
    <Facts stacked>
      <Fact label="Author">
        <a className="inline-flex items-center gap-2" href={ownerHref(world.owner)}>
          <Avatar address={world.owner} className="size-6" />
          <span
            className={`${textLink} ${ownerName ? '' : 'mono text-xs'}`}
            title={checksumAddress(world.owner)}
          >
            {ownerName ?? `0x${shortHex(world.owner)}`}
          </span>
        </a>
      </Fact>
      {manifest.remixOf !== undefined && remixes.madeFrom.next.length === 0 ? (
        <Fact label="Made from">a World that is no longer here</Fact>
      ) : null}
      <Fact label="Version">
        {manifest.version}
        <span className="text-ink-soft">
          , <TimeAgo ms={world.updatedAt.getTime()} nowMs={nowMs} />
        </span>
      </Fact>
      <Fact label="Shown on">
        {manifest.surfaces.map((surface) => SURFACES[surface] ?? surface).join(' and ')}
      </Fact>
      {counts.plays === 0 ? null : (
        <Fact label="Plays" note="At most one for each visitor and day.">
          {formatInteger(counts.plays)}
        </Fact>
      )}
      <Fact label="Bundle">
        {counted(size.files, 'file')}, {formatBytes(size.bytes)}
      </Fact>
      <Fact
        label="Content hash"
        note="SHA-256 over the files as uploaded: it changes when anything in them does."
      >
        <code className="text-xs">
          {world.bundleHash}
          <CopyButton text={world.bundleHash} what="content hash" />
        </code>
      </Fact>
      <Fact label="Id">
        <code className="text-xs">
          {world.id}
          <CopyButton text={world.id} what="id" />
        </code>
      </Fact>
    </Facts>
  )
}

interface ReadWorldQuery {
  readonly query: WorldQuery
  /** Slug of another World, shown beside it. */
  readonly beside: string | undefined
  /** Problems of the address, as sentences. */
  readonly problems: readonly string[]
}

const NOTHING: WorldQuery = { connector: undefined, count: undefined, dynamicRi: [], slots: [] }

/** Parses the query of a World's page; reports invalid parts and replaces them by defaults. */
function readWorldQuery(query: Readonly<Record<string, string | string[] | undefined>>): ReadWorldQuery {
  // A World is fed by simulation: blocks are the business of `/run`.
  const {
    connector,
    beside: other,
    slots: bound,
    block: _block,
    hash: _hash,
    at: _at,
    world: _world,
    ...rest
  } = query
  const beside = (Array.isArray(other) ? other[0] : other) || undefined
  if (Array.isArray(connector)) {
    return { query: NOTHING, beside, problems: ['connector is given more than once: once is enough.'] }
  }
  // Steps are valid without a connector; starts are then ignored.
  const read = readRunLink(connector || 'any', connector ? rest : { count: rest.count })
  if (!read.ok) return { query: NOTHING, beside, problems: read.problems.slice(0, 8) }
  const { count, dynamicRi } = read.link
  const slots = bound ? readSlots([bound].flat().join(',')) : []
  return {
    query: {
      connector: connector || undefined,
      count: rest.count ? count : undefined,
      dynamicRi,
      slots: slots ?? [],
    },
    beside,
    problems: slots ? [] : ['slots must be slot:connector, separated by commas, each slot once.'],
  }
}
