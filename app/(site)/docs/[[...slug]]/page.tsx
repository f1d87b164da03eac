import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { docHref, findDoc, markdownHref } from '#lib/server/docs/catalog.ts'
import { readDoc, siteOrigin } from '#lib/server/docs/texts.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { headingsOf } from '#lib/ui/docs/headings.ts'
import { Markdown } from '#lib/ui/docs/markdown.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { DocList, DocNeighbours } from './doc-list.tsx'

interface Props {
  params: Promise<{ slug?: string[] }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await pageOf(params)
  if (page === undefined) return {}
  return {
    title: page.title,
    description: page.description,
    alternates: { canonical: docHref(page), types: { 'text/markdown': markdownHref(page) } },
  }
}

export default async function DocsPage({ params }: Props) {
  // Its samples have the address of the site, which the build does not know.
  await connection()
  const page = (await pageOf(params)) ?? notFound()
  const text = readDoc(page, await siteOrigin())
  return (
    <div className={`${measure} grid gap-x-14 lg:grid-cols-[14rem_minmax(0,1fr)]`}>
      <article className="min-w-0 max-w-[46rem] pt-6 pb-4 sm:pt-12 lg:col-start-2 lg:row-start-1">
        <p className="mb-4 text-sm lg:hidden">
          <a className={`${textLink} inline-block py-2.5`} href="#pages">
            All pages
          </a>
        </p>
        <Markdown>{text}</Markdown>
        <DocNeighbours page={page} />
        <p className="mt-8 text-ink-soft text-sm">
          The same for programs:{' '}
          <a className={textLink} href={markdownHref(page)}>
            this page as markdown
          </a>
          , and{' '}
          <a className={textLink} href="/llms.txt">
            llms.txt
          </a>
          .
        </p>
      </article>
      <DocList current={docHref(page)} headings={headingsOf(text)} />
    </div>
  )
}

async function pageOf(params: Props['params']) {
  return findDoc(((await params).slug ?? []).join('/'))
}
