'use client'

import { useMemo } from 'react'
import { Button, ButtonLink } from '../../components/button.tsx'
import { entityHref } from '../../components/entity-href.ts'
import { counted, shortHex } from '../../components/format.ts'
import { KindMark } from '../../components/kind-mark.tsx'
import { useStudio } from '../common/context.tsx'
import { addEntry } from '../document/commands/entries.ts'
import { entryOf } from '../document/definition.ts'
import type { LibraryConnector } from '../document/parts.ts'
import { type Entry, newId } from '../document/types.ts'
import { PositionsTable } from '../outline/positions-table.tsx'
import { useIsOwn } from '../share/origin-line.tsx'
import { ConnectorEditor, EditorSwitch } from './connector-editor.tsx'

/** Something outside the document, as it is there: to be read, and to be remixed. */
export function PublishedView({ kind, name }: { kind: Entry['kind']; name: string }) {
  const { library } = useStudio()
  const isOwn = useIsOwn()
  const found = library.find(kind, name)
  if (found === 'unknown') {
    return (
      <p role="status" className="p-4 text-ink-soft">
        Looking up {name}…
      </p>
    )
  }
  if (found === 'absent') {
    return (
      <p role="status" className="p-4">
        There is no published {kind} called <span className="mono">{name}</span>.
      </p>
    )
  }
  return (
    <div className="flex min-h-full flex-col p-3 pb-6 sm:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pb-2">
        <KindMark kind={kind} />
        <h2 className="mono font-medium text-lg [overflow-wrap:anywhere]">{name}</h2>
        <span className="rounded-full border border-edge px-2.5 py-0.5 text-xs">
          {found.address === undefined ? 'draft on the server' : 'published'},{' '}
          {isOwn(found) ? 'yours' : 'read-only'}
        </span>
        <span className="flex gap-1">
          {found.kind === 'connector' ? <RemixButton connector={found} /> : null}
          <ButtonLink className="min-h-9 px-3 pointer-coarse:min-h-11" href={entityHref(kind, name)}>
            Its page
          </ButtonLink>
        </span>
        {found.kind === 'connector' ? (
          <span className="ml-auto">
            <EditorSwitch />
          </span>
        ) : null}
      </div>
      {found.kind === 'connector' ? (
        <PublishedConnector connector={found} />
      ) : (
        <p className="max-w-prose">
          It takes {counted(found.argsCount, 'argument')} and belongs to{' '}
          <span className="mono">0x{shortHex(found.owner)}</span>. Bodies are not public: what it does shows
          when a connector that uses it runs.
        </p>
      )}
    </div>
  )
}

function PublishedConnector({ connector }: { connector: LibraryConnector }) {
  const entry = useMemo(() => {
    let next = 0
    return entryOf(connector.definition, () => `published-${next++}`)
  }, [connector])
  return (
    <>
      <ConnectorEditor entry={entry} readOnly />
      <PositionsTable entry={entry} readOnly />
    </>
  )
}

function RemixButton({ connector }: { connector: LibraryConnector }) {
  const remix = useRemix()
  return (
    <Button
      look="primary"
      className="min-h-9 px-3 pointer-coarse:min-h-11"
      onClick={() => void remix(connector)}
    >
      Remix
    </Button>
  )
}

/** Adds an entry that starts as another connector, under a name that is free, and notes what it was made from. */
export function useRemix(): (connector: LibraryConnector) => Promise<void> {
  const { store, openTab, announce, freeNames } = useStudio()
  return async (connector) => {
    // The published name is taken, too.
    const { kind, name, owner, address, contentHash, definition } = connector
    const madeFrom = { kind, name, owner, contentHash }
    const [entry] = await freeNames([
      // A draft on the server may be revised: there is nothing to refer to.
      { ...entryOf(definition, newId), ...(address !== undefined && { madeFrom }) },
    ])
    if (entry === undefined) return
    store.edit(`Remix ${name}`, (document) => addEntry(document, { entry }))
    openTab({ kind: 'entry', entryId: entry.id })
    announce(`${entry.name} is your remix of ${name}: change what you like.`)
  }
}
