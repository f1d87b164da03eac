'use client'

import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Button } from '../../button.tsx'
import { TimeAgo } from '../../time-ago.tsx'
import { useStudio } from '../context.tsx'
import { same } from '../document/same.ts'
import type { StudioDocument } from '../document/types.ts'
import type { Version } from '../storage/server.ts'
import { ChangeList } from './change-list.tsx'
import { changeText } from './changes.ts'
import { sentenceOf } from './in-words.ts'
import { useShelf } from './use-shelf.ts'

const MOST_NAMED = 3

/** One version: when it was saved, what changed in it, and on request what restoring it would do. */
export function VersionLine({
  workspace,
  version,
  newest,
  open,
  onToggle,
  onRestore,
}: {
  workspace: string
  version: Version
  newest: boolean
  open: boolean
  onToggle: () => void
  onRestore: (document: StudioDocument, savedAtMs: number) => void
}) {
  const id = useId()
  const savedAtMs = Date.parse(version.saved_at)
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={onToggle}
        className="flex min-h-11 w-full cursor-pointer flex-wrap items-baseline gap-x-3 px-2 py-2 text-left text-sm transition-colors hover:bg-sunk"
      >
        <span className="w-36 shrink-0 font-medium">
          {newest ? 'Newest, ' : null}
          <TimeAgo ms={savedAtMs} nowMs={Date.now()} />
        </span>
        <span className="min-w-0 flex-1 basis-48 text-ink-soft [overflow-wrap:anywhere]">
          {summary(version)}
        </span>
      </button>
      <div id={id} hidden={!open}>
        {open ? (
          <Shown
            workspace={workspace}
            version={version}
            onRestore={(document) => onRestore(document, savedAtMs)}
          />
        ) : null}
      </div>
    </li>
  )
}

function summary({ changes, changed, entries }: Version): string {
  if (changed === 0)
    return entries === 0 ? 'empty' : 'another order, other places or Worlds, or the workspace renamed'
  const named = changes
    .slice(0, MOST_NAMED)
    .map(({ name_before, ...change }) =>
      changeText({ ...change, ...(name_before !== null && { nameBefore: name_before }) }),
    )
  const more = changed - named.length
  return more > 0 ? `${named.join(', ')}, and ${more} more` : named.join(', ')
}

function Shown({
  workspace,
  version: { revision },
  onRestore,
}: {
  workspace: string
  version: Version
  onRestore: (document: StudioDocument) => void
}) {
  const { shelf } = useShelf()
  const { state } = useStudio()
  const found = useQuery({
    queryKey: ['version', workspace, revision],
    queryFn: async () => (await shelf.server?.version(workspace, revision)) as StudioDocument,
    retry: false,
  })
  if (found.isPending) return <p className="px-2 pb-3 text-ink-soft text-sm">Reading…</p>
  if (found.isError) {
    return (
      <p role="alert" className="px-2 pb-3 text-sm">
        {sentenceOf(found.error)}
      </p>
    )
  }
  return (
    <div className="px-2 pb-4 text-sm">
      {same(state.document, found.data) ? (
        <p className="text-ink-soft">This is what you have now.</p>
      ) : (
        <>
          <p>Restoring it would mean, compared with now:</p>
          <ChangeList before={state.document} after={found.data} />
          <Button className="mt-3" onClick={() => onRestore(found.data)}>
            Restore this version
          </Button>
        </>
      )}
    </div>
  )
}
