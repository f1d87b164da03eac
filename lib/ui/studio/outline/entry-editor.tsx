'use client'

import { useState } from 'react'
import { Button } from '../../button.tsx'
import { KindMark } from '../../kind-mark.tsx'
import { PlainEditor } from '../code/plain-editor.tsx'
import { ConnectorEditor } from '../connector-editor.tsx'
import { useStudio } from '../context.tsx'
import { copy, paste, writeClip } from '../document/clip.ts'
import { removeEntry, setSource } from '../document/commands/entries.ts'
import { renameEverywhere } from '../document/commands/rename-everywhere.ts'
import { newId } from '../document/ids.ts'
import { refKey } from '../document/node-ref.ts'
import { type CodeEntry, type Entry, tabKey } from '../document/types.ts'
import { withoutTab } from '../document/view.ts'
import { LoadLater, laterPart } from '../load-later.tsx'
import { NameField } from './fields.tsx'
import { PositionsTable } from './positions-table.tsx'
import { ProblemNotes } from './problem-notes.tsx'

// Only who writes a body needs the editor and the language.
const codeEditor = laterPart(() => import('../code/code-editor.tsx').then((loaded) => loaded.CodeEditor))

// Only who publishes needs wallets.
const publicationPlan = laterPart(() =>
  import('../publish/publication-plan.tsx').then((loaded) => loaded.PublicationPlan),
)

/** Ids of entries whose plan is open: signing in from a plan opens the studio anew, and must not put the plan away. */
const planned = new Set<string>()

/** The editors of one entry. */
export function EntryEditor({ entry }: { entry: Entry }) {
  const [publishing, setShown] = useState(() => planned.has(entry.id))
  const setPublishing = (shown: boolean) => {
    if (shown) planned.add(entry.id)
    else planned.delete(entry.id)
    setShown(shown)
  }
  return (
    <div>
      <EntryHead entry={entry} publishing={publishing} onPublish={() => setPublishing(!publishing)} />
      {publishing ? (
        <LoadLater
          part={publicationPlan}
          props={{ entry, onClose: () => setPublishing(false) }}
          opening="Opening the plan…"
        />
      ) : null}
      {entry.kind === 'connector' ? (
        <>
          <ConnectorEditor entry={entry} />
          <PositionsTable entry={entry} readOnly={false} />
        </>
      ) : (
        <Body entry={entry} />
      )}
    </div>
  )
}

function EntryHead({
  entry,
  publishing,
  onPublish,
}: {
  entry: Entry
  publishing: boolean
  onPublish: () => void
}) {
  const { store, problemsAt, openTab, say } = useStudio()
  const at = { kind: 'entry', entryId: entry.id } as const
  const problems = problemsAt.get(refKey(at))
  const notes = `notes-entry-${entry.id}`
  const clip = () => copy(store.getState().document, [at])
  return (
    <div className="pb-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <KindMark kind={entry.kind} />
        <NameField
          value={entry.name}
          onText={(name) =>
            store.edit('Rename', (document) => renameEverywhere(document, { entryId: entry.id, name }), {
              merge: `name/${entry.id}`,
            })
          }
          wrong={problems?.some(({ field, severity }) => field?.name === 'name' && severity === 'error')}
          aria-label={`Name of this ${entry.kind}`}
          aria-describedby={problems ? notes : undefined}
          className="min-h-11 w-64 max-w-full flex-1 font-medium text-lg sm:flex-none"
        />
        <span className="flex flex-wrap gap-1">
          <Button
            className="min-h-9 px-3 pointer-coarse:min-h-11"
            aria-expanded={publishing}
            onClick={onPublish}
          >
            Publish…
          </Button>
          <SmallButton
            onClick={() => {
              const copied = clip()
              if (!copied) return
              let added: string | undefined
              store.edit('Duplicate', (document) => {
                const pasted = paste(document, copied, { at, newId })
                added = pasted.added[0]?.entryId
                return pasted.document
              })
              if (added !== undefined) openTab({ kind: 'entry', entryId: added })
            }}
          >
            Duplicate
          </SmallButton>
          <SmallButton
            onClick={() => {
              const copied = clip()
              if (!copied) return
              navigator.clipboard.writeText(writeClip(copied)).then(
                () => say(`Copied ${entry.name}.`),
                () => say('The browser did not let the studio reach the clipboard.'),
              )
            }}
          >
            Copy
          </SmallButton>
          <SmallButton
            onClick={() => {
              store.edit(`Remove ${entry.kind}`, (document) => removeEntry(document, { entryId: entry.id }))
              const key = tabKey({ kind: 'entry', entryId: entry.id })
              store.setView((view) => withoutTab(view, key))
              say(`Removed ${entry.name || entry.kind}. Undo brings it back.`)
            }}
          >
            Remove
          </SmallButton>
        </span>
      </div>
      {problems === undefined ? null : (
        <div className="pt-2">
          <ProblemNotes problems={problems} id={notes} />
        </div>
      )}
    </div>
  )
}

function SmallButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button className="min-h-9 px-3 pointer-coarse:min-h-11" onClick={onClick}>
      {children}
    </Button>
  )
}

/** The body, with the compiler at hand. */
function Body({ entry }: { entry: CodeEntry }) {
  const { store } = useStudio()
  return (
    <LoadLater
      part={codeEditor}
      instead={PlainEditor}
      opening="Opening the editor…"
      props={{
        kind: entry.kind,
        name: entry.name,
        source: entry.source,
        onSource: (source: string) =>
          store.edit('Edit body', (document) => setSource(document, { entryId: entry.id, source }), {
            merge: `source/${entry.id}`,
          }),
        onUndo: store.undo,
        onRedo: store.redo,
      }}
    />
  )
}
