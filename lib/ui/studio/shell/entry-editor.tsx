'use client'

import { kindWord } from '#lib/protocol/kind-name.ts'
import { renameEverywhere, setSource } from '#lib/studio/document/commands/entries.ts'
import { refKey } from '#lib/studio/document/node-ref.ts'
import { same } from '#lib/studio/document/same.ts'
import type { CodeEntry, Entry } from '#lib/studio/document/types.ts'
import { KindMark } from '#lib/ui/components/kind-mark.tsx'
import { useValue } from '#lib/ui/components/value.ts'
import { TextArea } from '#lib/ui/kit/field.tsx'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import type { CodeEditorProps } from '../code/code-editor.tsx'
import { NameField } from '../common/fields.tsx'
import { ProblemNotes } from '../common/problem-notes.tsx'
import { useCurrentSession, useSession } from '../common/session.tsx'
import { OriginLine } from '../share/origin-line.tsx'
import { ConnectorEditor, EditorSwitch } from './connector-editor.tsx'

const codeEditor = laterPart('The editor', () =>
  import('../code/code-editor.tsx').then((loaded) => loaded.CodeEditor),
)

const publishCard = laterPart('Publishing', () =>
  import('../publish/publish-card.tsx').then((loaded) => loaded.PublishCard),
)

/** Whether the card that publishes an entry is open, and a way to open and close it. */
export function usePlan(entryId: string | undefined): readonly [boolean, (open: boolean) => void] {
  const { plans } = useCurrentSession()
  const open = useValue(plans)
  const set = (shown: boolean) => {
    if (entryId === undefined) return
    const next = new Set(plans.getState())
    if (shown) next.add(entryId)
    else next.delete(entryId)
    plans.setState(next)
  }
  return [entryId !== undefined && open.has(entryId), set]
}

/** The editors of one entry; the card that publishes it in their place while it is open. */
export function EntryEditor({ entry }: { entry: Entry }) {
  const [publishing, setPublishing] = usePlan(entry.id)
  if (publishing) {
    return (
      <LoadLater
        part={publishCard}
        props={{ entry, onClose: () => setPublishing(false) }}
        opening={<p className="p-4">Opening…</p>}
      />
    )
  }
  return (
    <div className="flex min-h-full flex-col p-3 pb-6 sm:px-4">
      <EntryHead entry={entry} />
      {entry.kind === 'connector' ? <ConnectorEditor entry={entry} /> : <Body entry={entry} />}
    </div>
  )
}

function EntryHead({ entry }: { entry: Entry }) {
  const { document: store } = useCurrentSession()
  const at = { kind: 'entry', entryId: entry.id } as const
  const problems = useSession(({ problemsAt }) => problemsAt.get(refKey(at)), same)
  const notes = `notes-entry-${entry.id}`
  return (
    <div className="pb-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <KindMark kind={entry.kind} />
        <NameField
          value={entry.name}
          onText={(name) =>
            store.edit('Rename', (document) => renameEverywhere(document, { entryId: entry.id, name }), {
              merge: `name/${entry.id}`,
            })
          }
          wrong={problems?.some(({ field, severity }) => field?.name === 'name' && severity === 'error')}
          aria-label={`Name of this ${kindWord(entry.kind)}`}
          aria-describedby={problems ? notes : undefined}
          className="min-h-9 w-56 min-w-0 max-w-full flex-1 font-medium text-base sm:flex-none"
        />
        {entry.kind === 'connector' ? (
          <span className="ml-auto">
            <EditorSwitch />
          </span>
        ) : null}
      </div>
      <OriginLine entry={entry} />
      {problems === undefined ? null : (
        <div className="pt-2">
          <ProblemNotes problems={problems} id={notes} />
        </div>
      )}
    </div>
  )
}

/** The code editor of an entry. */
function Body({ entry }: { entry: CodeEntry }) {
  const { document: store } = useCurrentSession()
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
    <section aria-label={`Body of the ${kindWord(kind)} ${name}`} className="grid min-w-0 gap-3">
      <p role="status" className="text-sm">
        The editor and the compiler come back with the connection. You can go on writing here.
      </p>
      <TextArea
        code
        aria-label={`Solidity body of ${name || `the ${kindWord(kind)}`}`}
        value={source}
        readOnly={onSource === undefined}
        rows={Math.min(30, source.split('\n').length + 2)}
        onText={onSource}
      />
    </section>
  )
}
