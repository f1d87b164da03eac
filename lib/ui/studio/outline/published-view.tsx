'use client'

import { useMemo } from 'react'
import { Button, ButtonLink } from '../../button.tsx'
import { entityHref } from '../../entity-href.ts'
import { counted, shortHex } from '../../format.ts'
import { KindMark } from '../../kind-mark.tsx'
import { ConnectorEditor } from '../connector-editor.tsx'
import { useStudio } from '../context.tsx'
import { entryOf } from '../document/definition-of.ts'
import type { LibraryConnector } from '../document/library.ts'
import type { Entry } from '../document/types.ts'
import { fork } from '../library/fork.ts'
import { PublishedResults } from '../results/entry-results.tsx'
import { PositionsTable } from './positions-table.tsx'

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
  const { store, openTab, say } = useStudio()
  return (
    <Button
      look="primary"
      className="min-h-9 px-3 pointer-coarse:min-h-11"
      onClick={() => {
        const { id, name } = fork(store, connector)
        openTab({ kind: 'entry', entryId: id })
        say(`Forked ${connector.name} as ${name}.`)
      }}
    >
      Fork
    </Button>
  )
}
