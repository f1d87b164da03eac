import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { cache } from 'react'
import { measure } from '#lib/ui/components/measure.ts'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { PageHead } from '#lib/ui/components/page-head.tsx'
import { WorldEditor } from '#lib/ui/world-editor/world-editor.tsx'
import { readForPage } from '#lib/views/read.ts'
import { worldSourceView } from '#lib/views/world-source.ts'

interface Props {
  params: Promise<{ slug: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const readSource = cache((slug: string) =>
  readForPage('the source of a World', (ctx) => worldSourceView(ctx, slug)),
)

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  await connection()
  const { slug } = await params
  const reading = await readSource(slug)
  const name = (reading.ok && reading.value?.name) || slug
  return { title: `Source of ${name}`, description: `The files of the World ${name}, to read and to remix.` }
}

export default async function WorldSourcePage({ params, searchParams }: Props) {
  await connection()
  const { slug } = await params
  const reading = await readSource(slug)
  if (!reading.ok) return <Unreadable again={`/worlds/${slug}/source`} />
  const source = reading.value
  if (source === undefined) notFound()
  const { remix, version } = await searchParams
  return (
    <>
      <PageHead eyebrow="Source" title={source.name} />
      <div className={`${measure} mt-4`}>
        <noscript>
          <p>Files are shown by a script, and scripts are switched off here.</p>
        </noscript>
        <WorldEditor
          source={source}
          begin={version !== undefined ? 'version' : remix !== undefined ? 'remix' : undefined}
        />
      </div>
    </>
  )
}
