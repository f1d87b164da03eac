import type { Metadata } from 'next'
import { connection } from 'next/server'
import { shortHex } from '#lib/browser/format.ts'
import type { NoticedPiece } from '#lib/core/people/notices.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { worldPageHref } from '#lib/protocol/run-link.ts'
import { Avatar } from '#lib/ui/components/avatar.tsx'
import { entityHref, ownerHref } from '#lib/ui/components/entity-href.ts'
import { TimeAgo } from '#lib/ui/components/time-ago.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { type NoticesView, noticesView } from '#lib/views/own-lists.ts'
import { readOwnPage } from '#lib/views/read.ts'
import { AccountFrame } from '../account/_parts/account-frame.tsx'
import { Seen } from './_notices/seen.tsx'

export const metadata: Metadata = {
  title: 'Notices',
  description: 'What others do with your work.',
  robots: { index: false },
}

export default async function NoticesPage() {
  await connection()
  const { session, view, readable } = await readOwnPage('notices', (ctx, { address }) =>
    noticesView(ctx, address),
  )
  return (
    <AccountFrame
      title="Notices"
      lead="Who builds on your work, remixes it, or follows you."
      path="/notices"
      viewer={session?.address}
      readable={readable}
      purpose="Signed in, you see here who builds on your work, remixes it, or follows you."
    >
      {view === undefined ? null : <List view={view} />}
    </AccountFrame>
  )
}

const VERBS = { built: 'builds on your', remixed: 'is a remix of your', followed: 'follows you' } as const

function List({ view: { notices, names, nowMs } }: { view: NoticesView }) {
  if (notices.length === 0) {
    return <p className="max-w-prose text-ink-soft">None yet. They come while you are away, too.</p>
  }
  return (
    <>
      {notices.some(({ isNew }) => isNew) ? <Seen /> : null}
      <ul className="max-w-[46rem]">
        {notices.map(({ what, actor, of, by, createdAtMs, isNew }) => (
          <li
            key={`${what} ${actor} ${of?.kind} ${of?.name} ${by?.kind} ${by?.name}`}
            className="flex items-start gap-3 border-line border-t py-3 text-sm"
          >
            <Avatar address={actor} className="size-6 shrink-0" />
            <p className={`min-w-0 flex-1 [overflow-wrap:anywhere] ${isNew ? 'font-medium' : ''}`}>
              {by === undefined ? null : (
                <>
                  <PieceLink piece={by} /> by{' '}
                </>
              )}
              <a className={textLink} href={ownerHref(actor)}>
                <bdi>{names.get(actor) ?? `0x${shortHex(actor)}`}</bdi>
              </a>{' '}
              {VERBS[what]}
              {of === undefined ? null : (
                <>
                  {' '}
                  {kindWord(of.kind)} <PieceLink piece={of} />
                </>
              )}
              .{isNew ? <span className="sr-only"> New.</span> : null}
            </p>
            <span className="shrink-0 text-ink-soft">
              <TimeAgo ms={createdAtMs} nowMs={nowMs} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function PieceLink({ piece: { kind, name, title } }: { piece: NoticedPiece }) {
  return kind === 'world' ? (
    <a className={textLink} href={worldPageHref(name)}>
      {title ?? name}
    </a>
  ) : (
    <a className={`${textLink} mono`} href={entityHref(kind, name)}>
      {name}
    </a>
  )
}
