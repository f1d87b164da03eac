'use client'

import { useMemo } from 'react'
import { Button, ButtonLink } from '../../components/button.tsx'
import { entityHref } from '../../components/entity-href.ts'
import { counted, shortHex } from '../../components/format.ts'
import { KindMark } from '../../components/kind-mark.tsx'
import { useStudio } from '../common/context.tsx'
import { freeName } from '../document/clip.ts'
import { addEntry } from '../document/commands/entries.ts'
import { entryOf } from '../document/definition.ts'
import type { LibraryConnector } from '../document/parts.ts'
import type { StudioStore } from '../document/store.ts'
import { type ConnectorEntry, type Entry, newId } from '../document/types.ts'
import { PositionsTable } from '../outline/positions-table.tsx'
import { PublishedResults } from '../results/entry-results.tsx'
import { ConnectorEditor } from './connector-editor.tsx'

/** Something outside the document, as it is there: to be read, and to be forked. */
export function PublishedView({ kind, name }: { kind: Entry['kind']; name: string }) {
  const { library } = useStudio()
  const found = library.find(kind, name)
  if (found === 'unknown') {
    return (
      <p role="status" className="text-ink-soft">
        Looking up {name}…
      </p>
    )
  }
  if (found === 'absent') {
    return (
      <p role="status">
        There is no published {kind} called <span className="mono">{name}</span>.
      </p>
    )
  }
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pb-3">
        <KindMark kind={kind} />
        <h2 className="mono font-medium text-lg [overflow-wrap:anywhere]">{name}</h2>
        <span className="rounded-full border border-edge px-2.5 py-0.5 text-xs">
          {found.address === undefined ? 'draft on the server' : 'published'}, read-only
        </span>
        <span className="flex gap-1">
          {found.kind === 'connector' ? <ForkButton connector={found} /> : null}
          <ButtonLink className="min-h-9 px-3 pointer-coarse:min-h-11" href={entityHref(kind, name)}>
            Its page
          </ButtonLink>
        </span>
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
      <PublishedResults key={connector.name} name={connector.name} />
    </>
  )
}

function ForkButton({ connector }: { connector: LibraryConnector }) {
  const { store, openTab, announce } = useStudio()
  return (
    <Button
      look="primary"
      className="min-h-9 px-3 pointer-coarse:min-h-11"
      onClick={() => {
        const { id, name } = fork(store, connector)
        openTab({ kind: 'entry', entryId: id })
        announce(`Forked ${connector.name} as ${name}.`)
      }}
    >
      Fork
    </Button>
  )
}

/** Adds an entry that starts as a published connector, under a new name, as one undo step. */
export function fork(store: StudioStore, connector: LibraryConnector): ConnectorEntry {
  const { entries } = store.getState().document
  const original = entryOf(connector.definition, newId)
  // The published name is taken, too.
  const entry = { ...original, name: freeName([...entries, original], 'connector', connector.name) }
  store.edit('Fork', (document) => addEntry(document, { entry }))
  return entry
}
