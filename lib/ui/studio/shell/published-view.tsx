'use client'

import { useMemo } from 'react'
import { counted, shortHex } from '#lib/browser/format.ts'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { attachWorld } from '#lib/studio/document/attached-worlds.ts'
import { addEntry } from '#lib/studio/document/commands/entries.ts'
import { entryOf } from '#lib/studio/document/definition.ts'
import type { LibraryCode, LibraryConnector, LibraryEntity } from '#lib/studio/document/parts.ts'
import { type Entry, newId, tabKey } from '#lib/studio/document/types.ts'
import { withPresentation } from '#lib/studio/piece/presented.ts'
import { entityHref } from '#lib/ui/components/entity-href.ts'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { useCurrentSession, useSession } from '../common/session.tsx'
import { useIsOwn } from '../share/origin-line.tsx'
import { findVersion } from '../worlds/plugin-worlds.ts'
import { ConnectorEditor, EditorSwitch } from './connector-editor.tsx'

/** Something outside the document, as it is there: to be read, and to be remixed. */
export function PublishedView({ kind, name }: { kind: Entry['kind']; name: string }) {
  const library = useSession((state) => state.library)
  const isOwn = useIsOwn()
  const entity = library.find(kind, name)
  if (entity === 'unknown') {
    return (
      <p role="status" className="p-4 text-ink-soft">
        Looking up {name}…
      </p>
    )
  }
  if (entity === 'absent') {
    return (
      <p role="status" className="p-4">
        There is no published {kindWord(kind)} called <span className="mono">{name}</span>.
      </p>
    )
  }
  return (
    <div className="flex min-h-full flex-col p-3 pb-6 sm:px-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pb-2">
        <KindMark kind={kind} />
        <h2 className="mono font-medium text-lg [overflow-wrap:anywhere]">{name}</h2>
        <span className="rounded-full border border-edge px-2.5 py-0.5 text-xs">
          {entity.address === undefined ? 'draft on the server' : 'published'},{' '}
          {isOwn(entity) ? 'yours' : 'read-only'}
        </span>
        <span className="flex gap-1">
          {isRemixable(entity) ? <RemixButton of={entity} /> : null}
          <ButtonLink size="small" href={entityHref(kind, name)}>
            Its page
          </ButtonLink>
        </span>
        {entity.kind === 'connector' ? (
          <span className="ml-auto">
            <EditorSwitch />
          </span>
        ) : null}
      </div>
      {entity.kind === 'connector' ? (
        <PublishedConnector connector={entity} />
      ) : (
        <PublishedCode code={entity} />
      )}
    </div>
  )
}

function PublishedConnector({ connector }: { connector: LibraryConnector }) {
  const entry = useMemo(() => {
    let next = 0
    return entryOf(connector.definition, () => `published-${next++}`)
  }, [connector])
  return <ConnectorEditor entry={entry} readOnly />
}

function PublishedCode({ code }: { code: LibraryCode }) {
  const { source, description } = code
  return (
    <div className="space-y-3">
      {description === undefined ? null : (
        <p dir="auto" className="max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">
          {description}
        </p>
      )}
      <p className="max-w-prose">
        It takes {counted(code.argsCount, 'number')} and belongs to{' '}
        <span className="mono">0x{shortHex(code.owner)}</span>.{' '}
        {source === undefined
          ? 'No source is published: what it does shows when a piece that uses it runs.'
          : source.verified
            ? 'Its source is verified: it compiles to exactly what is published.'
            : 'Its source is not verified: it may be something else than what is published.'}
      </p>
      {source === undefined ? null : (
        <pre className="mono overflow-x-auto rounded-md border border-line bg-sunk p-3 text-sm">
          {source.text}
        </pre>
      )}
    </div>
  )
}

/** Entity that can start an entry: a connector, or a body that its author published. */
type Remixable = LibraryConnector | (LibraryCode & { readonly source: NonNullable<LibraryCode['source']> })

export function isRemixable(entity: LibraryEntity): entity is Remixable {
  return entity.kind === 'connector' || entity.source !== undefined
}

function RemixButton({ of: original }: { of: Remixable }) {
  const remix = useRemix()
  return (
    <Button look="filled" size="small" onClick={() => void remix(original)}>
      Remix
    </Button>
  )
}

/** Adds an entry that starts as something published, under a name that is free, and notes what it was made from. */
export function useRemix(): (original: Remixable) => Promise<void> {
  const { announce, freeNames } = useCurrentSession()
  const add = useAddEntry()
  return async (original) => {
    // The published name is taken, too.
    const { kind, name, owner, address, contentHash } = original
    const madeFrom = { kind, name, owner, contentHash }
    const [entry] = await freeNames([
      // A draft on the server may be revised: there is nothing to refer to.
      { ...entryFrom(original), ...(address !== undefined && { madeFrom }) },
    ])
    if (entry === undefined) return
    await add(`Remix ${name}`, entry, original)
    announce(`${entry.name} is your remix of ${name}: change what you like.`)
  }
}

/** Opens one's own published connector with its plan, which changes how it is shown; adds it where it is not there. */
export function useChangeShown(): (original: LibraryConnector) => Promise<void> {
  const { document: store, plans, openTab } = useCurrentSession()
  const add = useAddEntry()
  return async (original) => {
    const known = store
      .getState()
      .document.entries.find(({ kind, name }) => kind === original.kind && name === original.name)
    const entry = known ?? entryFrom(original)
    if (known === undefined) await add(`Open ${original.name}`, entry, original)
    else openTab({ kind: 'entry', entryId: known.id })
    plans.setState(new Set(plans.getState()).add(entry.id))
  }
}

function entryFrom(original: Remixable): Entry {
  return original.kind === 'connector'
    ? withPresentation(entryOf(original.definition, newId), original.piece?.present)
    : { kind: original.kind, id: newId(), name: original.name, source: original.source.text }
}

/** Adds an entry with the World of what it starts as, and opens it. */
function useAddEntry() {
  const { document: store, openTab, announce } = useCurrentSession()
  return async (label: string, entry: Entry, original: Remixable): Promise<void> => {
    const of = tabKey({ kind: 'entry', entryId: entry.id })
    const words = original.kind === 'connector' ? original.piece?.present?.world : undefined
    const version = words && (await findVersion(words).catch(() => undefined))
    store.edit(label, (document) => {
      const begun = addEntry(document, { entry })
      if (version === undefined || version.found === 'deleted') return begun
      return attachWorld(begun, of, version.world.tile.id, words?.slots)
    })
    openTab({ kind: 'entry', entryId: entry.id })
    if (words !== undefined && version === undefined) {
      announce(`The World of ${original.name} cannot be found now: here it is without one.`)
    }
  }
}
