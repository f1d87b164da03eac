'use client'

import { Plus } from 'lucide-react'
import { memo } from 'react'
import { kindsName, kindsWord, kindWord } from '#lib/protocol/kind-name.ts'
import { freeName } from '#lib/studio/document/clip.ts'
import { addEntry, newCode, newConnector } from '#lib/studio/document/commands/entries.ts'
import type { Problem } from '#lib/studio/document/problem.ts'
import { same } from '#lib/studio/document/same.ts'
import { type Entry, type Id, newId, type Tab, tabKey } from '#lib/studio/document/types.ts'
import { Breakable } from '#lib/ui/components/breakable.tsx'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { Row } from '#lib/ui/kit/button.tsx'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { useCurrentSession, useSession } from '../common/session.tsx'

const KINDS = ['connector', 'transformation', 'condition'] as const
const MAX_TRIES = 20
const FIRST_NAMES = { connector: 'my_piece', transformation: 'my_step', condition: 'my_gate' } as const

/** Entries of the work, by kind, with a way to add more. */
export function EntryList() {
  const { openTab } = useCurrentSession()
  const entries = useSession(
    ({ document }) => document.entries.map(({ id, kind, name }) => ({ id, kind, name })),
    same,
  )
  const active = useSession(({ view }) => view.active)
  const wrong = useSession(({ problems }) => entriesWithErrors(problems), same)
  const create = useNewEntry()
  return (
    <div className="space-y-4">
      {KINDS.map((kind) => (
        <section key={kind} aria-label={`Your ${kindsWord(kind)}`}>
          <div className="flex items-center justify-between border-line border-b">
            <h2 className="font-semibold text-sm">{kindsName(kind)}</h2>
            <IconButton label={`New ${kindWord(kind)}`} onClick={() => create(kind)}>
              <Plus aria-hidden="true" />
            </IconButton>
          </div>
          <ul>
            {entries
              .filter((entry) => entry.kind === kind)
              .map((entry) => (
                <EntryLine
                  key={entry.id}
                  entryId={entry.id}
                  name={entry.name}
                  errors={wrong.filter((id) => id === entry.id).length}
                  current={active === tabKey({ kind: 'entry', entryId: entry.id })}
                  onOpen={openTab}
                />
              ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Ids of entries, one for each of their errors. */
function entriesWithErrors(problems: readonly Problem[]): readonly Id[] {
  return problems.filter(({ severity }) => severity === 'error').map(({ at }) => at.entryId)
}

/** Typing somewhere draws none of the others again. */
const EntryLine = memo(function EntryLine({
  entryId,
  name,
  errors,
  current,
  onOpen,
}: {
  entryId: Id
  name: string
  errors: number
  current: boolean
  onOpen: (tab: Tab) => void
}) {
  return (
    <li>
      <Row chosen={current} onClick={() => onOpen({ kind: 'entry', entryId })} className="gap-2">
        <span className="mono min-w-0 flex-1 [overflow-wrap:anywhere]">
          <Breakable name={name || 'no name yet'} />
        </span>
        {errors > 0 ? (
          <span className="shrink-0 rounded-full border border-madder px-2 text-madder text-xs">
            {errors} <span className="sr-only">{errors === 1 ? 'problem' : 'problems'}</span>
          </span>
        ) : null}
      </Row>
    </li>
  )
})

/** Adds an empty entry under a name that is free as far as is known, and opens it. */
export function useNewEntry(): (kind: Entry['kind']) => void {
  const { document: store, library, openTab } = useCurrentSession()
  return (kind) => {
    const { entries } = store.getState().document
    const known = [...entries]
    let name = freeName(known, kind, FIRST_NAMES[kind])
    while (typeof library.find(kind, name) === 'object' && known.length < entries.length + MAX_TRIES) {
      known.push({ ...newCode('condition', '', name), kind } as Entry)
      name = freeName(known, kind, name)
    }
    const entry = kind === 'connector' ? newConnector(newId(), name, newId()) : newCode(kind, newId(), name)
    store.edit(`New ${kindWord(kind)}`, (document) => addEntry(document, { entry }))
    openTab({ kind: 'entry', entryId: entry.id })
  }
}

/** The mark of a kind, small enough for a list. */
export function SmallMark({ kind }: { kind: Entry['kind'] }) {
  return (
    <span className="inline-grid scale-75 place-items-center" aria-hidden="true">
      <KindMark kind={kind} />
    </span>
  )
}
