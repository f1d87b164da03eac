import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { bareHash, parseHash } from '../../../../lib/domain/hash.ts'
import { formatView } from '../../../../lib/site-data/format.ts'
import { readForPage } from '../../../../lib/site-data/read.ts'
import { ButtonLink } from '../../../../lib/ui/button.tsx'
import { Command } from '../../../../lib/ui/command.tsx'
import { CopyButton } from '../../../../lib/ui/copy-button.tsx'
import { entityHref, formatHref } from '../../../../lib/ui/entity-href.ts'
import { counted, shortHex } from '../../../../lib/ui/format.ts'
import { NameList } from '../../../../lib/ui/name-list.tsx'
import { PageHead } from '../../../../lib/ui/page-head.tsx'
import { measure } from '../../../../lib/ui/site-frame.tsx'
import { Unreadable } from '../../../../lib/ui/unreadable.tsx'
import { Part } from '../../_entity/entity-page.tsx'

interface Props {
  params: Promise<{ hash: string }>
  searchParams: Promise<{ after?: string | string[] }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { hash } = await params
  return {
    title: `Format ${shortHex(hash)}`,
    description: 'A shape of output, and the connectors that share it.',
  }
}

export default async function FormatPage({ params, searchParams }: Props) {
  await connection()
  const { hash } = await params
  const { after } = await searchParams
  const cursor = Array.isArray(after) ? after[0] : after
  const formatHash = parseHash(hash)
  if (formatHash === undefined) notFound()
  const reading = await readForPage('a format', (ctx) => formatView(ctx, hash, cursor))
  if (!reading.ok) {
    return (
      <>
        <PageHead title={`Format ${shortHex(hash)}`} />
        <Unreadable again={formatHref(formatHash)} />
      </>
    )
  }
  if (reading.value === undefined) notFound()
  const { total, scalars, keys, nextAfter, origin } = reading.value
  const bare = bareHash(formatHash)
  return (
    <>
      <PageHead
        eyebrow="Format"
        title={shortHex(formatHash)}
        code
        lead={
          <p>
            {counted(scalars.length, 'kind of value', 'kinds of values')} in {counted(total, 'connector')}.
            Connectors of one format can stand in for each other.
          </p>
        }
      />
      <div
        className={`${measure} mt-10 grid gap-x-14 gap-y-14 lg:grid-cols-[minmax(0,1fr)_27rem] lg:items-start`}
      >
        <div className="min-w-0 space-y-14">
          <Part title="Connectors">
            <NameList
              empty="No more of them."
              entries={keys.map((name) => ({ name, href: entityHref('connector', name) }))}
            />
            {nextAfter === null ? null : (
              <ButtonLink className="mt-4" rel="next" href={`${formatHref(formatHash)}?after=${nextAfter}`}>
                More
              </ButtonLink>
            )}
          </Part>
        </div>
        <aside aria-label="About the format" className="min-w-0 space-y-14">
          <Part title="Values" lead="The connector that declares each, and its dimension there.">
            <NameList
              empty="None."
              entries={scalars.map((label) => ({
                name: label,
                href: entityHref('connector', label.slice(0, label.lastIndexOf(':'))),
              }))}
            />
          </Part>
          <Part title="Hash">
            <code className="text-xs [overflow-wrap:anywhere]">{bare}</code>
            <CopyButton text={bare} what="format hash" />
            <div className="mt-4 flex">
              <Command>{`curl -s '${origin}/chain/format/${bare}?limit=100'`}</Command>
            </div>
          </Part>
        </aside>
      </div>
    </>
  )
}
