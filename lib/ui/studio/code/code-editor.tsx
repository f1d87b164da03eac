'use client'

import { useId, useRef, useState } from 'react'
import { argsCountOf } from '../document/args-count.ts'
import { CodeArea, type CodeAreaHandle } from './code-area.tsx'
import { CodeStatus } from './code-status.tsx'
import { DiagnosticList } from './diagnostic-list.tsx'
import type { BodyDiagnostic } from './diagnostics.ts'
import { type CodeKind, FRAMES } from './frame.ts'
import { SnippetPicker } from './snippet-picker.tsx'
import { TryRow } from './try-row.tsx'
import { useCompile } from './use-compile.ts'

export interface CodeEditorProps {
  readonly kind: CodeKind
  /** Shown in the frame around the body. */
  readonly name: string
  /** The body. Another text, for instance after undo, is taken over with the cursor kept in place. */
  readonly source: string
  /** Absent: the text can be read, copied and tried, but not changed. */
  readonly onSource?: (source: string) => void
  /** Undo of the whole document, for the keys of the editor; without them it undoes its own typing. */
  readonly onUndo?: () => void
  readonly onRedo?: () => void
}

const NO_DIAGNOSTICS: readonly BodyDiagnostic[] = []

/**
 * Writes the body of one transformation or condition: the frame around it in view, what the compiler says at its
 * line, the number of arguments while typing, a row to try it, and snippets to begin with.
 */
export function CodeEditor({ kind, name, source, onSource, onUndo, onRedo }: CodeEditorProps) {
  const id = useId()
  const area = useRef<CodeAreaHandle>(null)
  const [tabLeaves, setTabLeaves] = useState(false)
  const compiled = useCompile(kind, source)
  const frame = FRAMES[kind]
  const readOnly = onSource === undefined
  // While somebody types, what was said before stays: errors move along with the text.
  const verdict =
    compiled.status === 'checked'
      ? compiled.verdict
      : compiled.status === 'checking'
        ? compiled.last
        : undefined
  const diagnostics = verdict?.diagnostics ?? NO_DIAGNOSTICS

  return (
    <section aria-label={`Body of the ${kind} ${name}`} className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <CodeStatus state={compiled} source={source} />
        {readOnly ? null : (
          <SnippetPicker
            kind={kind}
            replaces={source.trim() !== ''}
            onPick={(snippet) => area.current?.replaceAll(snippet.source)}
          />
        )}
      </div>
      <div className="min-w-0 overflow-hidden rounded-md border border-edge bg-raised">
        <FrameLine text={frame.open(name)} />
        <CodeArea
          ref={area}
          source={source}
          diagnostics={diagnostics}
          label={`Solidity body of ${name || `the ${kind}`}`}
          describedBy={`${id}-given ${id}-tab`}
          onSource={onSource}
          onUndo={onUndo}
          onRedo={onRedo}
          onTabLeaves={setTabLeaves}
        />
        <FrameLine text={frame.close} />
      </div>
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 text-ink-soft text-xs">
        <p id={`${id}-given`}>{frame.given}</p>
        {readOnly ? null : (
          <p id={`${id}-tab`} role="status">
            {tabLeaves
              ? 'Tab leaves the editor now. Type to have it indent again.'
              : 'Tab indents. Press Escape, then Tab, to leave the editor.'}
          </p>
        )}
      </div>
      <DiagnosticList diagnostics={diagnostics} onReveal={(one) => area.current?.reveal(one)} />
      <TryRow
        kind={kind}
        source={verdict?.source ?? source}
        argsCount={verdict?.argsCount ?? undefined}
        likelyCount={argsCountOf(source)}
      />
    </section>
  )
}

/** A line of the contract that belongs to the frame: seen and read, never edited. */
function FrameLine({ text }: { text: string }) {
  return (
    <pre className="mono whitespace-pre-wrap bg-sunk py-1.5 pr-3 pl-[3.25rem] text-ink-soft text-sm">
      <code>{text}</code>
    </pre>
  )
}
