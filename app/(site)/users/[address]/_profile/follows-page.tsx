import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { connection } from 'next/server'
import { parseAddress } from '../../../../../lib/domain/address.ts'
import { type FollowDirection, followsView, readPageNumber } from '../../../../../lib/site-data/follows.ts'
import { readForPage } from '../../../../../lib/site-data/read.ts'
import { ButtonLink } from '../../../../../lib/ui/button.tsx'
import { ownerHref } from '../../../../../lib/ui/entity-href.ts'
import { shortHex } from '../../../../../lib/ui/format.ts'
import { textLink } from '../../../../../lib/ui/link-style.ts'
import { PageHead } from '../../../../../lib/ui/page-head.tsx'
import { HitList } from '../../../../../lib/ui/search/hit-list.tsx'
import { viewPerson } from '../../../../../lib/ui/search/hit-view.ts'
import { measure } from '../../../../../lib/ui/site-frame.tsx'
import { Unreadable } from '../../../../../lib/ui/unreadable.tsx'

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

/** Who follows an account, or whom it follows. */
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
  if (!reading.ok) {
    return (
      <>
        <PageHead title={TITLES[direction]} />
        <Unreadable again={here} />
      </>
    )
  }
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
          <nav aria-label="Pages of the list" className="mt-6 flex flex-wrap gap-3 empty:hidden">
            {page > 0 ? (
              <ButtonLink rel="prev" href={page === 1 ? here : `${here}?page=${page - 1}`}>
                Back
              </ButtonLink>
            ) : null}
            {more ? (
              <ButtonLink rel="next" href={`${here}?page=${page + 1}`}>
                More
              </ButtonLink>
            ) : null}
          </nav>
        </div>
      </div>
    </>
  )
}
