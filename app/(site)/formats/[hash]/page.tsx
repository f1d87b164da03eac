import type { Metadata } from 'next'
import { connection } from 'next/server'
import { counted, formatInteger, shortHex } from '#lib/browser/format.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { bareHash, parseHash } from '#lib/protocol/hash.ts'
import { Command } from '#lib/ui/components/command.tsx'
import { entityHref, formatHref } from '#lib/ui/components/entity-href.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { NameList } from '#lib/ui/components/name-list.tsx'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { PageHead } from '#lib/ui/components/page-head.tsx'
import { PageLinks } from '#lib/ui/components/page-links.tsx'
import { Part } from '#lib/ui/components/part.tsx'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { CopyButton } from '#lib/ui/kit/copy-button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { HitTiles } from '#lib/ui/lists/hit-list.tsx'
import { viewEntity } from '#lib/ui/lists/hit-view.ts'
import { MarkButton } from '#lib/ui/people/mark-button.tsx'
import { formatView } from '#lib/views/entity.ts'
import { feedHref } from '#lib/views/feed-query.ts'
import { firstOf } from '#lib/views/query.ts'
import { readForPage } from '#lib/views/read.ts'

/** Maximum values shown; a connector may have thousands. */
const MOST_VALUES = 48

interface Props {
  params: Promise<{ hash: string }>
  searchParams: Promise<{ after?: string | string[] }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { hash } = await params
  return {
    title: `Format ${shortHex(hash)}`,
    description: 'A shape of output, and the pieces that share it.',
  }
}

export default async function FormatPage({ params, searchParams }: Props) {
  await connection()
  const { hash } = await params
  const cursor = firstOf((await searchParams).after)
  const formatHash = parseHash(hash)
  if (formatHash === undefined) return <MissingFormat text={hash} />
  const reading = await readForPage('a format', (ctx) => formatView(ctx, hash, cursor))
  if (!reading.ok) return <Unreadable title={`Format ${shortHex(hash)}`} again={formatHref(formatHash)} />
  if (reading.value === undefined) return <MissingFormat text={bareHash(formatHash)} />
  const { total, scalars, scalarsCount, keys, owners, names, fromStart, nextAfter, origin } = reading.value
  const bare = bareHash(formatHash)
  return (
    <>
      <PageHead
        eyebrow="Format"
        title={shortHex(formatHash)}
        code
        lead={
          <p>
            {counted(scalarsCount, 'kind of value', 'kinds of values')} in {counted(total, 'piece')}. Pieces
            of one format can stand in for each other.
          </p>
        }
      />
      <div className={`${measure} mt-5`}>
        <MarkButton mark="follow" kind="format" name={formatHash} />
      </div>
      <div
        className={`${measure} mt-10 grid gap-x-14 gap-y-14 lg:grid-cols-[minmax(0,1fr)_27rem] lg:items-start`}
      >
        <div className="min-w-0 space-y-14">
          <Part title="Pieces" lead={fromStart ? undefined : 'Further ones, by name.'}>
            <Members members={keys} owners={owners} names={names} />
            <PageLinks
              of="the list"
              back={!fromStart && ['From the start', formatHref(formatHash)]}
              next={
                nextAfter !== null && [
                  'More',
                  `${formatHref(formatHash)}?after=${encodeURIComponent(nextAfter)}`,
                ]
              }
            />
          </Part>
        </div>
        <aside aria-label="About the format" className="min-w-0 space-y-14">
          <Part title="Values" lead="The piece that declares each, and its voice there.">
            <NameList
              empty="None."
              entries={scalars.slice(0, MOST_VALUES).map((label) => ({
                name: label,
                href: entityHref('connector', label.slice(0, label.lastIndexOf(':'))),
              }))}
            />
            {scalarsCount > MOST_VALUES ? (
              <p className="border-line border-t py-3 text-sm">
                and {formatInteger(scalarsCount - MOST_VALUES)} more: the{' '}
                <a className={textLink} href={`/chain/format/${bare}`}>
                  format as JSON
                </a>{' '}
                has them all.
              </p>
            ) : null}
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

function Members({
  members,
  owners,
  names,
}: {
  members: readonly string[]
  owners: ReadonlyMap<string, Address>
  names: ReadonlyMap<Address, string>
}) {
  if (members.length === 0) {
    return <p className="border-line border-t py-3 text-ink-soft text-sm">No more of them.</p>
  }
  const hits = members.flatMap((name) => {
    const owner = owners.get(name)
    return owner === undefined
      ? []
      : [viewEntity({ kind: 'connector', name, owner }, { ownerName: names.get(owner) })]
  })
  return <HitTiles hits={hits} />
}

/** The 404 page of a format. */
function MissingFormat({ text }: { text: string }) {
  return (
    <>
      <PageHead
        title="Nothing here"
        lead={
          <p>
            {parseHash(text) === undefined
              ? 'A format is named by a hash of 64 hexadecimal digits, and this is none.'
              : 'No published piece has this format. One that a reorganisation removed may return.'}
          </p>
        }
      />
      <div className={`${measure} mt-8 flex flex-wrap gap-3`}>
        <ButtonLink look="filled" href={`/search?q=${encodeURIComponent(text.slice(0, 128))}`}>
          Search for it
        </ButtonLink>
        <ButtonLink href={feedHref({ kind: 'connector' })}>The newest pieces</ButtonLink>
      </div>
    </>
  )
}
