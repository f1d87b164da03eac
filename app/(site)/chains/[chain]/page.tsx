import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { FilterLinks } from '#lib/ui/components/filter-links.tsx'
import { formatInteger, shortHex } from '#lib/ui/components/format.ts'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { textLink } from '#lib/ui/components/link-style.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { PageTitle } from '#lib/ui/components/page-head.tsx'
import { PageLinks } from '#lib/ui/components/page-links.tsx'
import { StatusChip } from '#lib/ui/components/status-chip.tsx'
import { TimeAgo } from '#lib/ui/components/time-ago.tsx'
import { KIND_CHOICES } from '#lib/ui/search/hit-view.ts'
import { type ChainView, chainView, entityOnChainHref } from '#lib/views/chains.ts'
import { type FeedQuery, feedHref, readFeedQuery } from '#lib/views/feed-query.ts'
import { readForPage } from '#lib/views/read.ts'
import { ChainSwitch } from '../../_chains/chain-switch.tsx'
import { ClosedChain } from '../../_chains/closed-chain.tsx'

interface Props {
  params: Promise<{ chain: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Pick<Props, 'params'>): Promise<Metadata> {
  const { chain } = await params
  return {
    title: `Chain ${chain}`,
    description: `What is published on chain ${chain}, newest first.`,
  }
}

export default async function ChainPage({ params, searchParams }: Props) {
  await connection()
  const [{ chain: id }, query] = await Promise.all([params, searchParams])
  const reading = await readForPage('a chain', (ctx) => chainView(ctx, id, query))
  if (!reading.ok) return <Unreadable again={`/chains/${encodeURIComponent(id)}`} />
  if (reading.value === undefined) notFound()
  const { chain, closed } = reading.value
  return (
    <div className={measure}>
      <PageTitle
        slim
        title={chain.name}
        eyebrow={`Chain ${chain.chainId}`}
        lead={
          <p>
            What is published on {chain.name}, the newest first. The studio and the other pages of this site
            are about its first chain; programs reach this one below{' '}
            <a className={textLink} href={`/chains/${chain.chainId}/chain/openapi.json`}>
              /chains/{chain.chainId}/chain
            </a>
            .
          </p>
        }
      />
      {closed === undefined ? (
        <Publications chainId={chain.chainId} view={reading.value.value} query={readFeedQuery(query)} />
      ) : (
        <ClosedChain name={chain.name} why={closed} />
      )}
    </div>
  )
}

function Publications({
  chainId,
  view,
  query: { kind, before },
}: {
  chainId: number
  view: ChainView
  query: FeedQuery
}) {
  const here = (changed: Partial<FeedQuery>) => feedHref(changed, `/chains/${chainId}`)
  const { chain, rows, nextBefore, nowMs } = view
  return (
    <>
      <div className="mt-5 space-y-1">
        <ChainSwitch choices={view.choices} />
        <FilterLinks
          label="Kind"
          choices={KIND_CHOICES}
          value={kind}
          hrefOf={(each) => here({ kind: each })}
        />
      </div>
      <p className="mt-4 text-ink-soft text-sm">
        {chain.processed === null
          ? 'Its worker has read no block yet.'
          : `As of block ${formatInteger(chain.processed)}${chain.head === null ? '' : ` of ${formatInteger(chain.head)}`}.`}
      </p>
      {rows.length === 0 ? (
        <p className="py-8 text-ink-soft">
          {before === undefined && kind === undefined
            ? 'Nothing is published there yet.'
            : 'Nothing here matches.'}
        </p>
      ) : (
        <ul aria-label="Publications" className="mt-2 border-line border-b">
          {rows.map((row) => (
            <li
              key={row.feedId}
              className="group flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t py-3"
            >
              <KindMark kind={row.kind} />
              <a
                className={`${textLink} mono min-w-0 [overflow-wrap:anywhere]`}
                href={entityOnChainHref(chainId, row.kind, row.name)}
              >
                {row.name}
              </a>
              <span className="text-ink-soft text-sm">{row.ownerName ?? `0x${shortHex(row.owner)}`}</span>
              <span className="ml-auto flex items-center gap-x-3 text-ink-soft text-xs">
                <StatusChip status={row.status} />
                <TimeAgo ms={row.createdAtMs} nowMs={nowMs} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <PageLinks
        of="the list"
        back={before !== undefined && ['Newest', here({ kind })]}
        next={nextBefore !== undefined && ['Older', here({ kind, before: nextBefore })]}
      />
    </>
  )
}
