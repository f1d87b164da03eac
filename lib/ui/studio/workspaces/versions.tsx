'use client'

import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { same } from '#lib/studio/document/same.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import type { Version } from '#lib/studio/keep/server.ts'
import { exactTime } from '#lib/ui/components/time.ts'
import { TimeAgo } from '#lib/ui/components/time-ago.tsx'
import { Button, Row } from '#lib/ui/kit/button.tsx'
import { useCurrentSession, useDocument } from '../common/session.tsx'
import { changeText, documentChanges, entryLines, lineChanges } from './changes.ts'
import { errorMessage } from './error-messages.ts'
import { useWorkspaces, useWorkspacesState } from './use-workspaces.ts'

/** The versions of the workspace stored on the server. */
export function Versions({ onDone }: { onDone: () => void }) {
  const { manager } = useWorkspaces()
  const { document: store, announce } = useCurrentSession()
  const [shown, setShown] = useState<number>()
  const id = useWorkspacesState((state) => state.current) as string
  const query = useQuery({
    queryKey: ['versions', id],
    // What has just been typed is part of it.
    queryFn: async () => {
      await manager.syncNow()
      return (await manager.server?.versions(id)) ?? []
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  if (query.isPending) {
    return (
      <p role="status" className="py-4 text-ink-soft text-sm">
        Reading…
      </p>
    )
  }
  if (query.isError) {
    return (
      <p role="alert" className="py-4 text-sm">
        {errorMessage(query.error)}
      </p>
    )
  }
  if (query.data.length === 0) {
    return <p className="py-4 text-sm">Nothing yet: the first version is kept a moment after you begin.</p>
  }
  const restore = (document: StudioDocument, savedAtMs: number) => {
    const time = exactTime(savedAtMs)
    store.edit(`Restore ${time}`, () => document)
    announce(`Restored the version of ${time}.`, store.getState().document)
    onDone()
  }
  return (
    <ol className="mt-3 divide-y divide-line border-line border-y">
      {query.data.map((version, index) => (
        <VersionLine
          key={version.revision}
          workspace={id}
          version={version}
          newest={index === 0}
          open={shown === version.revision}
          onToggle={() => setShown(shown === version.revision ? undefined : version.revision)}
          onRestore={restore}
        />
      ))}
    </ol>
  )
}

const MAX_NAMED = 3

/** One version: when it was saved, what changed in it, and on request what restoring it would do. */
function VersionLine({
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
      <Row
        aria-expanded={open}
        aria-controls={id}
        onClick={onToggle}
        className="min-h-11 flex-wrap items-baseline gap-y-0 py-2"
      >
        <span className="w-36 shrink-0 font-medium">
          {newest ? 'Newest, ' : null}
          <TimeAgo ms={savedAtMs} />
        </span>
        <span className="min-w-0 flex-1 basis-48 text-ink-soft [overflow-wrap:anywhere]">
          {summary(version)}
        </span>
      </Row>
      <div id={id} hidden={!open}>
        {open ? (
          <VersionPreview
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
    .slice(0, MAX_NAMED)
    .map(({ name_before, ...change }) =>
      changeText({ ...change, ...(name_before !== null && { nameBefore: name_before }) }),
    )
  const more = changed - named.length
  return more > 0 ? `${named.join(', ')}, and ${more} more` : named.join(', ')
}

function VersionPreview({
  workspace,
  version: { revision },
  onRestore,
}: {
  workspace: string
  version: Version
  onRestore: (document: StudioDocument) => void
}) {
  const { manager } = useWorkspaces()
  const document = useDocument()
  const query = useQuery({
    queryKey: ['version', workspace, revision],
    queryFn: async () => (await manager.server?.version(workspace, revision)) as StudioDocument,
    retry: false,
  })
  if (query.isPending) return <p className="px-2 pb-3 text-ink-soft text-sm">Reading…</p>
  if (query.isError) {
    return (
      <p role="alert" className="px-2 pb-3 text-sm">
        {errorMessage(query.error)}
      </p>
    )
  }
  return (
    <div className="px-2 pb-4 text-sm">
      {same(document, query.data) ? (
        <p className="text-ink-soft">This is what you have now.</p>
      ) : (
        <>
          <p>Restoring it would mean, compared with now:</p>
          <ChangeList before={document} after={query.data} />
          <Button className="mt-3" onClick={() => onRestore(query.data)}>
            Restore this version
          </Button>
        </>
      )}
    </div>
  )
}

const MAX_ENTRIES = 20
const MAX_LINES = 12

/** Differences of `after`, entry by entry and line by line. */
function ChangeList({ before, after }: { before: StudioDocument; after: StudioDocument }) {
  const changes = documentChanges(before, after)
  return (
    <ul className="mt-2 space-y-3">
      {changes.slice(0, MAX_ENTRIES).map((change) => (
        <li key={change.id}>
          <p className="[overflow-wrap:anywhere]">
            <span className="text-ink-soft">{change.kind}</span> {changeText(change)}
          </p>
          <Lines before={linesOf(before, change.id)} after={linesOf(after, change.id)} />
        </li>
      ))}
      {changes.length > MAX_ENTRIES ? <li>and {changes.length - MAX_ENTRIES} more</li> : null}
    </ul>
  )
}

function Lines({ before, after }: { before: readonly string[]; after: readonly string[] }) {
  const lines = lineChanges(before, after)
  if (lines.length === 0) return null
  return (
    <ul className="mono mt-1 rounded-md bg-sunk p-2 text-sm">
      {lines.slice(0, MAX_LINES).map(({ sign, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same line may come several times
        <li key={index} className="flex gap-2">
          <span aria-hidden="true" className="shrink-0">
            {sign}
          </span>
          <span className="sr-only">{sign === '+' ? 'comes' : 'goes'}: </span>
          <span
            className={`whitespace-pre-wrap [overflow-wrap:anywhere] ${sign === '+' ? '' : 'text-ink-soft'}`}
          >
            {text}
          </span>
        </li>
      ))}
      {lines.length > MAX_LINES ? <li>and {lines.length - MAX_LINES} more lines</li> : null}
    </ul>
  )
}

function linesOf({ entries }: StudioDocument, id: string): readonly string[] {
  const entry = entries.find((each) => each.id === id)
  return entry === undefined ? [] : entryLines(entry)
}
