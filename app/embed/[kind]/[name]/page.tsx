import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { entityExists } from '#lib/core/entities/get-entity.ts'
import { readRunLink, runHref } from '#lib/protocol/run-link.ts'
import { Dependence } from '#lib/ui/components/dependence.tsx'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { Mark } from '#lib/ui/components/logo.tsx'
import { Title } from '#lib/ui/components/title.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { EmbedPlayer } from '#lib/ui/piece/embed-player.tsx'
import { readForPage } from '#lib/views/read.ts'
import { isPlayable, runView } from '#lib/views/run-page.ts'

interface Props {
  params: Promise<{ kind: string; name: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `${(await params).name}, player`, robots: { index: false } }
}

/** A player for frames of other sites: no header, no session. */
export default async function EmbedPage({ params, searchParams }: Props) {
  await connection()
  const { kind, name } = await params
  const read = readRunLink(name, kind === 'run' ? await searchParams : {})
  if (!read.ok || (kind !== 'run' && kind !== 'connector')) notFound()
  const { link } = read
  const reading = await readForPage(`a player of ${name}`, async (ctx) =>
    (await entityExists(ctx, 'connector', name)) ? runView(ctx, link) : undefined,
  )
  if (reading.ok && reading.value === undefined) notFound()
  const view = reading.ok ? reading.value : undefined
  const run = view?.result.run
  const title = view?.words?.title
  const playable =
    view?.draft === false &&
    (kind === 'connector'
      ? run?.state === 'particles' || run?.state === 'unavailable'
      : isPlayable(link, view))
  return (
    <main className="flex min-h-dvh flex-col gap-2 p-3">
      <h1 className="flex min-w-0 items-center gap-2 text-sm">
        <Mark />
        <a
          className={`${textLink} truncate ${title === undefined ? 'mono' : ''}`}
          href={kind === 'run' ? runHref(link) : entityHref('connector', name)}
          target="_blank"
          rel="noopener"
        >
          {title === undefined ? name : <Title>{title}</Title>}
        </a>
        {view?.traits === undefined ? null : <Dependence traits={view.traits} />}
      </h1>
      {playable ? (
        <EmbedPlayer
          name={name}
          starts={kind === 'run' ? link.dynamicRi : undefined}
          steps={kind === 'run' ? link.count : undefined}
          present={view.words?.present}
          streams={run?.state === 'particles' ? run.streams : []}
        />
      ) : (
        <p className="m-auto text-ink-soft text-sm">
          {view === undefined
            ? 'The network cannot be read right now.'
            : 'This does not play here: its page shows why.'}
        </p>
      )}
    </main>
  )
}
