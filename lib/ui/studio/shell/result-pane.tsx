'use client'

import { useRef } from 'react'
import { referencesOf } from '#lib/studio/document/node-ref.ts'
import {
  type Id,
  type StudioDocument,
  type StudioView,
  type Tab,
  tabInFront,
  tabKey,
} from '#lib/studio/document/types.ts'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { useDocument, useSession } from '../common/session.tsx'

export const entryResults = laterPart('The result', () =>
  import('../results/entry-results.tsx').then((loaded) => loaded.EntryResults),
)

export const publishedResults = laterPart('The result', () =>
  import('../results/entry-results.tsx').then((loaded) => loaded.PublishedResults),
)

const explore = laterPart('Explore', () => import('../explore/explore.tsx').then((loaded) => loaded.Explore))

/**
 * Output of the connector in front; beside a function, what the connector before it does.
 *
 * @param explored Id of the connector in front while its variations are shown; what it generates stays below them.
 */
export function ResultPane({ explored, onLeave }: { explored?: Id | undefined; onLeave: () => void }) {
  const entry = useSession(({ document }) => document.entries.find(({ id }) => id === explored))
  const isExploring = entry?.kind === 'connector'
  return (
    <>
      {isExploring ? (
        <LoadLater
          key={entry.id}
          part={explore}
          props={{ entry, onClose: onLeave }}
          opening={<p className="p-4 text-ink-soft text-sm">Opening Explore…</p>}
        />
      ) : null}
      <div className={isExploring ? 'hidden' : 'contents'}>
        <Results />
      </div>
    </>
  )
}

function Results() {
  const document = useDocument()
  const view = useSession((state) => state.view)
  const before = useRef<Tab>(undefined)
  const tab = resultTab(document, view, before.current)
  before.current = tab
  const opening = <p className="p-4 text-ink-soft text-sm">Opening the result…</p>
  if (tab?.kind === 'published') {
    return (
      <LoadLater key={tabKey(tab)} part={publishedResults} props={{ name: tab.name }} opening={opening} />
    )
  }
  const entry = document.entries.find(({ id }) => id === tab?.entryId)
  if (entry?.kind === 'connector') {
    return <LoadLater key={entry.id} part={entryResults} props={{ entry }} opening={opening} />
  }
  return (
    <p className="p-4 text-ink-soft text-sm">
      {document.entries.length === 0
        ? 'What you make moves and sounds here.'
        : 'Open a piece, and its numbers appear here.'}
    </p>
  )
}

/** The connector whose result is shown. @param before The one that was shown last. */
function resultTab(document: StudioDocument, view: StudioView, before: Tab | undefined): Tab | undefined {
  const front = tabInFront(view)
  if (front === undefined) return undefined
  const connectors = document.entries.filter((entry) => entry.kind === 'connector')
  if (
    front.kind === 'published'
      ? front.entity === 'connector'
      : connectors.some(({ id }) => id === front.entryId)
  ) {
    return front
  }
  const there =
    before?.kind === 'published'
      ? view.tabs.some((open) => tabKey(open) === tabKey(before))
      : connectors.some(({ id }) => id === before?.entryId)
  if (there) return before
  const code = front.kind === 'entry' ? document.entries.find(({ id }) => id === front.entryId) : undefined
  const user = connectors.find((entry) =>
    referencesOf(entry).some(({ kind, name }) => kind === code?.kind && name === code.name),
  )
  return user && { kind: 'entry', entryId: user.id }
}
