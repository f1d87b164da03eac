import type { Metadata } from 'next'
import { notFound, redirect } from 'next/navigation'
import { connection } from 'next/server'
import { cache } from 'react'
import { counted, formatInteger } from '#lib/browser/format.ts'
import { entityExists } from '#lib/core/entities/get-entity.ts'
import { runEmbedHref } from '#lib/protocol/embed.ts'
import { newestRunHref, type ReadLink, readRunLink, runHref } from '#lib/protocol/run-link.ts'
import { studioHref } from '#lib/studio/keep/deep-link.ts'
import { DependenceLine } from '#lib/ui/components/dependence.tsx'
import { EmbedCode } from '#lib/ui/components/embed-code.tsx'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { Notice, Unreadable } from '#lib/ui/components/notice.tsx'
import { PageHead } from '#lib/ui/components/page-head.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { STAGE_SHAPE, Stage } from '#lib/ui/piece/stage.tsx'
import { StillPlots } from '#lib/ui/plots/svg.tsx'
import { CopyRunLink } from '#lib/ui/run/share-panel.tsx'
import { LiveRun } from '#lib/ui/studio/live/live-run.tsx'
import { sharedPage, sharedPicture } from '#lib/views/page-metadata.ts'
import { readForPage } from '#lib/views/read.ts'
import { isPlayable, runAtNewestBlock, runView } from '#lib/views/run-page.ts'
import { drawingWorld } from '#lib/views/world.ts'
import { readName } from '../../_entity/entity-page.tsx'
import { Board } from '../_run/board.tsx'
import { RunForm } from '../_run/run-form.tsx'
import { runSummary, runTitle } from '../_run/run-words.ts'
import { RunWorldChoice } from '../_run/run-world-choice.tsx'

interface Props {
  params: Promise<{ name: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

type GoodLink = Extract<ReadLink, { ok: true }>['link']

/** One read for metadata and page. */
const readRun = cache((href: string, link: GoodLink) =>
  readForPage(`the run ${href}`, async (ctx) => {
    if (!(await entityExists(ctx, 'connector', link.connector))) return undefined
    const [view, world] = await Promise.all([
      runView(ctx, link),
      link.world === undefined ? undefined : drawingWorld(ctx, link.world),
    ])
    return { ...view, world }
  }),
)
const linkOf = cache((name: string, query: string) =>
  readRunLink(name, JSON.parse(query) as Record<string, string | string[]>),
)

async function readProps({ params, searchParams }: Props) {
  const name = await readName(params)
  const read = linkOf(name, JSON.stringify(await searchParams))
  return { name, read }
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { name, read } = await readProps(props)
  if (!read.ok || read.newest) return { title: `A run of ${name}`, robots: { index: false } }
  const { link } = read
  const href = runHref(link)
  const reading = await readRun(href, link)
  if (!reading.ok || reading.value === undefined) return { title: runTitle(link) }
  const { result, world } = reading.value
  return sharedPage({
    title: runTitle(link, world?.framed.name),
    description: runSummary(link, result),
    href,
    // A World's picture is its maker's own; the numbers are drawn where there is none.
    picture: sharedPicture(world?.framed) ?? { href: runHref(link, '/image') },
    embeddable: true,
  })
}

export default async function RunPage(props: Props) {
  await connection()
  const { name, read } = await readProps(props)
  if (!read.ok) return <BadLink name={name} problems={read.problems} />
  const { link } = read
  const href = runHref(link)
  if (read.newest) return <Newest link={link} />
  if (!read.canonical) redirect(href)
  const reading = await readRun(href, link)
  if (!reading.ok) return <Unreadable title={name} code again={href} />
  if (reading.value === undefined) notFound()
  const { origin, draft, author, chainName, starts, result, world, traits } = reading.value
  if (
    link.block &&
    result.where === 'chain' &&
    'provenance' in result.run &&
    result.run.provenance.blockNumber !== link.block.number
  ) {
    const { blockNumber } = result.run.provenance
    return (
      <BadLink
        name={name}
        problems={[
          `The hash is that of block ${formatInteger(blockNumber)}, not of block ${formatInteger(link.block.number)}.`,
        ]}
      />
    )
  }
  return (
    <>
      <Stage
        name={name}
        title={reading.value.words?.title}
        author={author}
        eyebrow={
          link.block
            ? `A run on chain${chainName ? `, ${chainName}` : ''}, at block ${formatInteger(link.block.number)}`
            : 'Another run'
        }
        lead={
          <p>
            {counted(link.count, 'step')} of{' '}
            <a className={`${textLink} mono`} href={entityHref('connector', name)}>
              {name}
            </a>
            {link.dynamicRi.length > 0 ? `, with ${counted(link.dynamicRi.length, 'start')} set` : ''}.{' '}
            {link.block
              ? 'The block is part of the link: the same call at it returns these bytes.'
              : draft
                ? 'It is a draft: its author may change it, and this link then shows something else.'
                : traits?.dependsOn === 'input'
                  ? 'The link gives everybody the same numbers.'
                  : 'It is computed from what is published.'}
          </p>
        }
        actions={
          <>
            <div className="flex flex-wrap items-center gap-3">
              <ButtonLink look="filled" href={studioHref('open', 'connector', name)}>
                Remix
              </ButtonLink>
              <CopyRunLink link={link} origin={origin} />
            </div>
            <EmbedCode
              page={origin + href}
              image={origin + runHref(link, '/image')}
              player={isPlayable(link, reading.value) ? origin + runEmbedHref(link) : undefined}
              title={runTitle(link, world?.framed.name)}
            />
          </>
        }
      >
        {world === undefined && isPlayable(link, reading.value) && result.run.state === 'particles' ? (
          <LiveRun
            // Another run is another player.
            key={href}
            name={name}
            knobs={false}
            shape={STAGE_SHAPE}
            starts={link.dynamicRi}
            steps={link.count}
            present={reading.value.words?.present}
          >
            <StillPlots streams={result.run.streams} />
          </LiveRun>
        ) : null}
      </Stage>
      {traits === undefined ? null : (
        <div className={`${measure} mt-6`}>
          <DependenceLine traits={traits} />
        </div>
      )}
      {link.world !== undefined && world === undefined ? (
        <div className={`${measure} mt-8`}>
          <Notice title="The World of this link is gone">
            <p>
              There is no World <code>{link.world}</code> here, or not any more. The run itself is what it
              was.
            </p>
          </Notice>
        </div>
      ) : null}
      <div
        className={`${measure} mt-10 grid gap-x-14 gap-y-14 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start`}
      >
        <div className="min-w-0">
          <Board
            // Slots do not change the run.
            key={runHref({ ...link, slots: undefined })}
            link={link}
            delivered={result}
            newestHref={newestRunHref(link)}
            world={world}
            lasting={!draft && traits?.dependsOn === 'input'}
          />
        </div>
        <aside aria-label="Another run" className="min-w-0 space-y-10">
          <Part title="Change the run">
            <RunForm key={href} link={link} starts={starts} executable={!draft && chainName !== undefined} />
          </Part>
          <Part title="Show it elsewhere">
            <RunWorldChoice link={link} currentWorld={world?.slug} />
          </Part>
        </aside>
      </div>
    </>
  )
}

/** Executes at the newest block and redirects to the run pinned to it. */
async function Newest({ link }: { link: GoodLink }) {
  const reading = await readForPage(`a new run of ${link.connector}`, async (ctx) =>
    (await entityExists(ctx, 'connector', link.connector)) ? runAtNewestBlock(ctx, link) : undefined,
  )
  if (!reading.ok) return <Unreadable again={runHref(link)} />
  const run = reading.value
  if (run === undefined) notFound()
  if ('provenance' in run && run.state !== 'unknown') {
    const { blockNumber, blockHash } = run.provenance
    redirect(runHref({ ...link, block: { number: blockNumber, hash: blockHash } }))
  }
  return (
    <BadLink
      name={link.connector}
      title="It could not be run on chain"
      problems={[
        run.state === 'unavailable'
          ? run.message
          : 'The chain has no such piece: a draft runs here, and on chain once it is published.',
      ]}
    />
  )
}

/** The page of an invalid link. */
function BadLink({
  name,
  problems,
  title = 'This link names no run',
}: {
  name: string
  problems: readonly string[]
  title?: string
}) {
  return (
    <>
      <PageHead title={name} code eyebrow="A run" />
      <div className={`${measure} mt-8`}>
        <Notice title={title}>
          <ul className="list-disc space-y-1 pl-5">
            {problems.slice(0, 8).map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
          <p>Start over with the piece as it is, and change the run on its page.</p>
          <div className="flex flex-wrap gap-3">
            <ButtonLink href={`/run/${encodeURIComponent(name)}`}>Run {name}</ButtonLink>
            <ButtonLink href={entityHref('connector', name)}>Its page</ButtonLink>
          </div>
        </Notice>
      </div>
    </>
  )
}
