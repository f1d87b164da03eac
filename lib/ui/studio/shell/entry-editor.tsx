'use client'

import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { KindMark } from '../../components/kind-mark.tsx'
import type { CodeEditorProps } from '../code/code-editor.tsx'
import { useStudio } from '../common/context.tsx'
import { NameField } from '../common/fields.tsx'
import { LoadLater, laterPart } from '../common/load-later.tsx'
import { ProblemNotes } from '../common/problem-notes.tsx'
import { copyText } from '../common/transfer.ts'
import { copy, paste, writeClip } from '../document/clip.ts'
import { removeEntry, renameEverywhere, setSource } from '../document/commands/entries.ts'
import { refKey } from '../document/node-ref.ts'
import { type CodeEntry, type Entry, newId, tabKey, withoutTab } from '../document/types.ts'
import { PositionsTable } from '../outline/positions-table.tsx'
import { ConnectorEditor } from './connector-editor.tsx'

const codeEditor = laterPart(() => import('../code/code-editor.tsx').then((loaded) => loaded.CodeEditor))

const publicationPlan = laterPart(() =>
  import('../publish/publication-plan.tsx').then((loaded) => loaded.PublicationPlan),
)

/**
 * Ids of entries whose plan is open: signing in from a plan remounts the studio, and must not close the plan.
 */
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
  const { store, problemsAt, openTab, announce } = useStudio()
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
              copyText(writeClip(copied), announce, `Copied ${entry.name}.`)
            }}
          >
            Copy
          </SmallButton>
          <SmallButton
            onClick={() => {
              store.edit(`Remove ${entry.kind}`, (document) => removeEntry(document, { entryId: entry.id }))
              const key = tabKey({ kind: 'entry', entryId: entry.id })
              store.setView((view) => withoutTab(view, key))
              announce(`Removed ${entry.name || entry.kind}. Undo brings it back.`)
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

/** The code editor of an entry. */
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

/** Fallback while the code editor cannot be loaded. */
function PlainEditor({ kind, name, source, onSource }: CodeEditorProps) {
  return (
    <section aria-label={`Body of the ${kind} ${name}`} className="grid min-w-0 gap-3">
      <p role="status" className="text-sm">
        The editor and the compiler come back with the connection. You can go on writing here.
      </p>
      <textarea
        aria-label={`Solidity body of ${name || `the ${kind}`}`}
        value={source}
        readOnly={onSource === undefined}
        spellCheck={false}
        rows={Math.min(30, source.split('\n').length + 2)}
        onChange={(event) => onSource?.(event.currentTarget.value)}
        className="mono w-full rounded-md border border-edge bg-raised p-3 text-sm"
      />
    </section>
  )
}
