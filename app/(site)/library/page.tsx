import type { Metadata } from 'next'
import { connection } from 'next/server'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { HitTiles } from '#lib/ui/lists/hit-list.tsx'
import { viewEntity, viewWorld } from '#lib/ui/lists/hit-view.ts'
import { countWords } from '#lib/ui/people/counts.ts'
import { type LibraryView, libraryView } from '#lib/views/own-lists.ts'
import { readOwnPage } from '#lib/views/read.ts'
import { AccountFrame } from '../account/_parts/account-frame.tsx'

export const metadata: Metadata = {
  title: 'Your library',
  description: 'What you saved.',
  robots: { index: false },
}

export default async function LibraryPage() {
  await connection()
  const { session, view, readable } = await readOwnPage('a library', (ctx, { address }) =>
    libraryView(ctx, address),
  )
  return (
    <AccountFrame
      title="Your library"
      lead="What you saved. The studio offers it first. Only you see it."
      path="/library"
      viewer={session?.address}
      readable={readable}
      purpose="Signed in, you can save pieces, functions, gates and Worlds here."
    >
      {view === undefined ? null : <Saved view={view} />}
    </AccountFrame>
  )
}

function Saved({ view: { pieces, names, counts, titleOf } }: { view: LibraryView }) {
  if (pieces.length === 0) {
    return (
      <p className="max-w-prose text-ink-soft">
        Nothing yet: press Save on the page of anything published.{' '}
        <a className={textLink} href="/discover">
          Discover some
        </a>
      </p>
    )
  }
  return (
    <HitTiles
      kinds
      hits={pieces.map((each) => {
        const notes = countWords(counts(each.piece))
        if (each.of === 'world') {
          const { owner, manifest } = each.world
          return viewWorld(
            { slug: manifest.slug, owner, title: manifest.name },
            { notes, ownerName: names.get(owner) },
          )
        }
        return viewEntity(
          { kind: each.kind, name: each.piece.name, owner: each.owner, title: titleOf(each.piece) },
          { notes, ownerName: names.get(each.owner) },
        )
      })}
    />
  )
}
