import type { Metadata } from 'next'
import { connection } from 'next/server'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { HitTiles } from '#lib/ui/lists/hit-list.tsx'
import { viewEntity } from '#lib/ui/lists/hit-view.ts'
import { type FollowedView, followedView } from '#lib/views/own-lists.ts'
import { firstOf } from '#lib/views/query.ts'
import { readOwnPage } from '#lib/views/read.ts'
import { AccountFrame } from '../account/_parts/account-frame.tsx'

interface Props {
  searchParams: Promise<{ before?: string | string[] }>
}

export const metadata: Metadata = {
  title: 'From people you follow',
  description: 'What accounts and formats that you follow publish.',
  robots: { index: false },
}

export default async function FollowingPage({ searchParams }: Props) {
  await connection()
  const before = firstOf((await searchParams).before)
  const { session, view, readable } = await readOwnPage('what is followed', (ctx, { address }) =>
    followedView(ctx, address, before),
  )
  return (
    <AccountFrame
      title="From people you follow"
      lead="What they publish, the newest first, with the pieces of formats that you follow."
      path="/following"
      viewer={session?.address}
      readable={readable}
      purpose="Signed in, you see here what accounts and formats publish that you follow."
    >
      {view === undefined ? null : <Followed view={view} continued={before !== undefined} />}
    </AccountFrame>
  )
}

function Followed({ view, continued }: { view: FollowedView; continued: boolean }) {
  const { items, nextBefore, names, titleOf } = view
  return (
    <>
      {items.length > 0 ? (
        <HitTiles
          hits={items.map((item) =>
            viewEntity({ ...item, title: titleOf(item) }, { ownerName: names.get(item.owner) }),
          )}
          kinds
        />
      ) : (
        <p className="max-w-prose text-ink-soft">
          {continued ? 'No more of it.' : 'Nothing yet. Follow accounts and formats from their pages:'}{' '}
          <a className={textLink} href={continued ? '/following' : '/discover?kind=person'}>
            {continued ? 'The newest' : 'people who publish'}
          </a>
        </p>
      )}
      {nextBefore === undefined ? null : (
        <ButtonLink rel="next" className="mt-6" href={`/following?before=${encodeURIComponent(nextBefore)}`}>
          Older
        </ButtonLink>
      )}
    </>
  )
}
