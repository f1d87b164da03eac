import type { Metadata } from 'next'
import { connection } from 'next/server'
import { worldHref } from '#lib/ui/components/entity-href.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { Notice, Unreadable } from '#lib/ui/components/notice.tsx'
import { PageTitle } from '#lib/ui/components/page-head.tsx'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { Gallery } from '#lib/ui/world-gallery/gallery.tsx'
import { type GalleryView, galleryView } from '#lib/views/gallery.ts'
import {
  type GalleryQuery,
  galleryHref,
  galleryParams,
  isNarrowed,
  readGalleryQuery,
} from '#lib/views/gallery-query.ts'
import { readForPage, siteWords } from '#lib/views/read.ts'
import { GalleryFilters } from './_gallery/filters.tsx'

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const DESCRIPTION = 'Pages that turn the numbers of pieces into sound, pictures and things to play with.'

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const { search } = readGalleryQuery(await searchParams)
  const shortSearch = [...search].slice(0, 60).join('')
  return {
    title: shortSearch === '' ? 'Worlds' : `${shortSearch}, Worlds`,
    description: DESCRIPTION,
    openGraph: {
      title: 'Worlds',
      description: DESCRIPTION,
      siteName: (await siteWords()).name,
      type: 'website',
    },
  }
}

export default async function WorldsPage({ searchParams }: Props) {
  await connection()
  const params = await searchParams
  const query = readGalleryQuery(params)
  const id = [params.world].flat()[0] || undefined
  const reading = await readForPage('the gallery', (ctx) => galleryView(ctx, query, id))
  return (
    <>
      <div className={`${measure} flex flex-wrap items-end justify-between gap-x-6 gap-y-4`}>
        <PageTitle
          title="Worlds"
          lead="A World draws and plays the numbers of a piece: the same piece as cloth, as sheet music, as drums."
        />
        <ButtonLink href="/worlds/upload">Upload yours</ButtonLink>
      </div>
      {reading.ok ? <Body query={query} view={reading.value} /> : <Unreadable again={galleryHref(query)} />}
    </>
  )
}

function Body({ query, view }: { query: GalleryQuery; view: GalleryView }) {
  const { opened, formats, any, ...delivered } = view
  if (!any) {
    return (
      <div className={`${measure} mt-10`}>
        <NoWorldYet />
      </div>
    )
  }
  return (
    <div className={`${measure} mt-8`}>
      {opened ? (
        <p className="unscripted mb-6">
          This address opens{' '}
          <a className={textLink} href={worldHref(opened.tile.slug)}>
            {opened.tile.framed.name}
          </a>
          , on its own page where scripts are switched off.
        </p>
      ) : null}
      <GalleryFilters query={query} formats={formats} />
      <section aria-label="Found" className="mt-8">
        {delivered.tiles.length === 0 ? <NothingFound query={query} /> : null}
        {query.after !== undefined && delivered.tiles.length > 0 ? (
          <p className="mb-6 text-sm">
            <a className={textLink} href={galleryHref({ ...query, after: undefined })}>
              Back to the beginning of the list
            </a>
          </p>
        ) : null}
        <Gallery key={galleryParams(query)} delivered={delivered} opened={opened} />
      </section>
    </div>
  )
}

function NothingFound({ query }: { query: GalleryQuery }) {
  if (query.after !== undefined) {
    return (
      <Notice title="The list ends before this page">
        <ButtonLink href={galleryHref({ ...query, after: undefined })}>Its beginning</ButtonLink>
      </Notice>
    )
  }
  return (
    <Notice title="No World is like that">
      <p>
        {query.search === ''
          ? 'No World fits all that is chosen above. Fewer filters find more.'
          : `None has “${query.search}” in its name or description${isNarrowed({ ...query, search: '' }) ? ' and fits all that is chosen above' : ''}.`}
      </p>
      <ButtonLink href="/worlds">See all Worlds</ButtonLink>
    </Notice>
  )
}

function NoWorldYet() {
  return (
    <Notice title="No World is here yet">
      <p>
        A World is a small web page that draws or plays the numbers of a piece. The first one to be published
        shows up here; a server started with <code>npm start</code> and an empty chain brings some along, so
        try again in a moment.
      </p>
      <p>
        You can{' '}
        <a className={textLink} href="/worlds/upload">
          try and publish one of your own
        </a>
        .
      </p>
      <ButtonLink href="/worlds">Try again</ButtonLink>
    </Notice>
  )
}
