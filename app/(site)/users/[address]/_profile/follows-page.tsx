import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { shortHex } from '#lib/browser/format.ts'
import { parseAddress } from '#lib/protocol/address.ts'
import { ownerHref } from '#lib/ui/components/entity-href.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { Unreadable } from '#lib/ui/components/notice.tsx'
import { PageHead } from '#lib/ui/components/page-head.tsx'
import { PageLinks } from '#lib/ui/components/page-links.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { HitList } from '#lib/ui/lists/hit-list.tsx'
import { viewPerson } from '#lib/ui/lists/hit-view.ts'
import { readForPage } from '#lib/views/read.ts'
import { type FollowDirection, followsView, readPageNumber } from '#lib/views/user.ts'

export interface FollowsProps {
  params: Promise<{ address: string }>
  searchParams: Promise<{ page?: string | string[] }>
}

const TITLES = { followers: 'Followers', following: 'Following' } as const

export async function followsMetadata(
  { params }: Pick<FollowsProps, 'params'>,
  direction: FollowDirection,
): Promise<Metadata> {
  const { address } = await params
  return { title: `${TITLES[direction]} of 0x${shortHex(address)}`, robots: { index: false } }
}

/** The page of an account's followers or follows. */
export async function FollowsPage({
  params,
  searchParams,
  direction,
}: FollowsProps & { direction: FollowDirection }) {
  await connection()
  const address = parseAddress((await params).address)
  if (address === undefined) notFound()
  const page = readPageNumber((await searchParams).page)
  const here = `${ownerHref(address)}/${direction}`
  const reading = await readForPage('follows', (ctx) => followsView(ctx, { address, direction, page }))
  if (!reading.ok) return <Unreadable title={TITLES[direction]} again={here} />
  const { name, people, more } = reading.value
  return (
    <>
      <PageHead
        title={TITLES[direction]}
        lead={
          <p>
            <a className={textLink} href={ownerHref(address)}>
              {name ?? `0x${shortHex(address)}`}
            </a>
          </p>
        }
      />
      <div className={`${measure} mt-8`}>
        <div className="max-w-[46rem]">
          {people.length === 0 ? (
            <p className="border-line border-t py-4 text-ink-soft">
              {page > 0 ? 'The list ends before this page.' : 'Nobody yet.'}
            </p>
          ) : (
            <HitList hits={people.map(viewPerson)} />
          )}
          <PageLinks
            of="the list"
            back={page > 0 && ['Back', page === 1 ? here : `${here}?page=${page - 1}`]}
            next={more && ['More', `${here}?page=${page + 1}`]}
          />
        </div>
      </div>
    </>
  )
}
