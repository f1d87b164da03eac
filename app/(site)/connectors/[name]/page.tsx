import type { Metadata } from 'next'
import { connection } from 'next/server'
import { counted } from '#lib/browser/format.ts'
import { findAuthorWords } from '#lib/core/entities/author-words.ts'
import { TakeAway } from '#lib/features/piece-file/ui/index.ts'
import { ChangeShown } from '#lib/features/pieces/ui/index.ts'
import { connectorEmbedHref } from '#lib/protocol/embed.ts'
import { newestRunHref, runHref } from '#lib/protocol/run-link.ts'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { Description } from '#lib/ui/entity/author-words.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { SeeItAs } from '#lib/ui/piece/see-it-as.tsx'
import { STAGE_SHAPE } from '#lib/ui/piece/stage.tsx'
import { Streams } from '#lib/ui/plots/streams.tsx'
import { StillPlots } from '#lib/ui/plots/svg.tsx'
import { LiveRun } from '#lib/ui/studio/live/live-run.tsx'
import { StageStill } from '#lib/ui/studio/live/stage-still.tsx'
import { connectorView, PICTURED_PARTICLES } from '#lib/views/entity.ts'
import { firstSentences, sharedPage } from '#lib/views/page-metadata.ts'
import { firstOf } from '#lib/views/query.ts'
import { readForPage } from '#lib/views/read.ts'
import type { Run } from '#lib/views/run.ts'
import { worldsOf } from '#lib/views/world.ts'
import { Definition } from '../../_entity/definition.tsx'
import { DependencyGraph } from '../../_entity/dependency-graph.tsx'
import { EntityPage, readName } from '../../_entity/entity-page.tsx'
import { Missing } from '../../_entity/missing.tsx'

/** Streams drawn on this page; the first page shows all of them. */
const DRAWN = 6

interface Props {
  params: Promise<{ name: string }>
  searchParams: Promise<{ used_after?: string | string[]; as?: string | string[] }>
}

export async function generateMetadata({ params }: Pick<Props, 'params'>): Promise<Metadata> {
  const name = await readName(params)
  const reading = await readForPage('the title of a piece', (ctx) => findAuthorWords(ctx, 'connector', name))
  const { title, description } = (reading.ok && reading.value) || {}
  return sharedPage({
    title: title ?? `${name}, piece`,
    description: description
      ? firstSentences(description)
      : `What the piece ${name} is, and how it sounds and looks.`,
    href: entityHref('connector', name),
    picture: { kind: 'connector', name },
    embeddable: true,
  })
}

export default async function ConnectorPage({ params, searchParams }: Props) {
  await connection()
  const name = await readName(params)
  const query = await searchParams
  const asPublished = firstOf(query.as) === 'published'
  const usersAfter = firstOf(query.used_after)
  const reading = await readForPage('a connector', async (ctx) => {
    const [view, worlds] = await Promise.all([
      connectorView(ctx, name, { usersAfter, asPublished }),
      worldsOf(ctx, name),
    ])
    return view && { ...view, worlds }
  })
  if (!reading.ok) return <Unreadable title={name} code again={entityHref('connector', name)} />
  if (reading.value === undefined) return <Missing kind="connector" name={name} />
  const { worlds, graph, run, still, ...view } = reading.value
  const { entity, publication, counts, origin } = view
  const definition = entity?.definition
  const request = { connector: name, count: PICTURED_PARTICLES, dynamicRi: [] }
  // A server that is too busy to simulate it leaves it to the reader's browser.
  const isPlayed = publication !== undefined && (run.state === 'particles' || run.state === 'unavailable')
  return (
    <EntityPage
      kind="connector"
      name={name}
      view={view}
      stage={
        isPlayed ? (
          <>
            <LiveRun
              name={name}
              addressed
              shape={STAGE_SHAPE}
              present={view.words?.present}
              asPublished={asPublished}
              still={still}
            >
              {still ? (
                <StageStill src={still} />
              ) : run.state === 'particles' ? (
                <StillPlots streams={run.streams} />
              ) : null}
            </LiveRun>
            <SeeItAs name={name} worlds={worlds} />
          </>
        ) : null
      }
      lead={
        definition ? (
          <>
            <Description words={view.words} />
            <ShownAs name={name} isChanged={view.words?.isChanged === true} asPublished={asPublished} />
            {counts.plays > 0 ? (
              <p className="mt-2 text-sm">Played {counted(counts.plays, 'time')}.</p>
            ) : null}
          </>
        ) : null
      }
      remix={{ label: 'Remix', action: 'open' }}
      knobs
      links={
        <>
          {publication === undefined ? null : (
            <>
              {asPublished ? null : (
                <ChangeShown
                  name={name}
                  owner={view.owner}
                  title={view.words?.title}
                  isChanged={view.words?.isChanged === true}
                  hasStill={still !== undefined}
                />
              )}
              <TakeAway name={name} />
            </>
          )}
          <details className="text-sm">
            <summary className="min-h-11 cursor-pointer py-2.5 font-medium">Record a run</summary>
            <div className="space-y-2 pb-2">
              <p>Begin it elsewhere, or have the chain compute it.</p>
              <p className="flex flex-wrap gap-x-6">
                <a className={`${textLink} py-2`} href={runHref(request)}>
                  Run it with other starts
                </a>
                {publication === undefined ? null : (
                  <a className={`${textLink} py-2`} rel="nofollow" href={newestRunHref(request)}>
                    Run it on the chain
                  </a>
                )}
              </p>
            </div>
          </details>
        </>
      }
      player={isPlayed ? origin + connectorEmbedHref(name) : undefined}
      formatHash={entity?.formatHash}
    >
      {definition ? <Definition definition={definition} /> : null}
      {graph === undefined || graph.nodes.length === 1 ? null : (
        <Part title="Made of" lead="Everything it names, and what that names in turn.">
          <DependencyGraph graph={graph} />
        </Part>
      )}
      <Part title="Numbers">
        <Picture name={name} run={run} />
      </Part>
    </EntityPage>
  )
}

/** Note that a piece is shown with other words than its published ones, with the way there and back. */
function ShownAs({
  name,
  isChanged,
  asPublished,
}: {
  name: string
  isChanged: boolean
  asPublished: boolean
}) {
  const href = entityHref('connector', name)
  if (asPublished) {
    return (
      <p className="mt-2 text-sm">
        As it was published.{' '}
        <a className={textLink} href={href}>
          As its author shows it now
        </a>
      </p>
    )
  }
  if (!isChanged) return null
  return (
    <p className="mt-2 text-sm">
      Its author changed how it is shown here.{' '}
      <a className={textLink} href={`${href}?as=published`} rel="nofollow">
        As it was published
      </a>
    </p>
  )
}

function Picture({ name, run }: { name: string; run: Run }) {
  const closer = runHref({ connector: name, count: PICTURED_PARTICLES, dynamicRi: [] })
  if (run.state !== 'particles') {
    return (
      <p className="border-line border-b py-4 text-sm">
        {run.state === 'unknown' ? 'There is nothing to run under this name.' : run.message}{' '}
        <a className={textLink} href={closer}>
          Look closer
        </a>
      </p>
    )
  }
  const streams = run.streams.slice(0, DRAWN)
  return (
    <>
      <Streams streams={streams} rows={streams.length} count={PICTURED_PARTICLES} busy={false} />
      <p className="mt-3 text-sm">
        <a className={textLink} href={closer}>
          {run.paths > streams.length ? `See all ${counted(run.paths, 'voice')}` : 'See more numbers'}
        </a>
      </p>
    </>
  )
}
