'use client'

import { type Ref, useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { kindWord } from '#lib/protocol/kind-name.ts'
import { argsCountOf } from '#lib/studio/document/args-count.ts'
import type { CodeKind } from '#lib/studio/document/types.ts'
import { type CompileAnswer, requestCompile } from '#lib/studio/runs/client.ts'
import { Button, TextButton } from '#lib/ui/kit/button.tsx'
import { useLatest } from '../common/use-latest.ts'
import { type BodyDiagnostic, diagnosticText } from './code-text.ts'
import { type MountedEditor, mountEditor } from './mount-editor.ts'
import { SnippetPicker } from './snippet-picker.tsx'
import { solidityLanguage } from './solidity-language.ts'
import { TryRow } from './try-row.tsx'

export interface CodeEditorProps {
  readonly kind: CodeKind
  /** Shown in the frame around the body. */
  readonly name: string
  /** The body. An external change, for instance by undo, keeps the cursor. */
  readonly source: string
  /** Absent: the text can be read, copied and tried, but not changed. */
  readonly onSource?: (source: string) => void
  /** Undo of the whole document, for the keys of the editor; without them it undoes its own typing. */
  readonly onUndo?: () => void
  readonly onRedo?: () => void
}

const NO_DIAGNOSTICS: readonly BodyDiagnostic[] = []

/** The editor of a body: its frame, diagnostics, arguments, a row to try it, and snippets. */
export function CodeEditor({ kind, name, source, onSource, onUndo, onRedo }: CodeEditorProps) {
  const id = useId()
  const area = useRef<CodeAreaHandle>(null)
  const [tabLeaves, setTabLeaves] = useState(false)
  const compiled = useCompile(kind, source)
  const frame = FRAMES[kind]
  const readOnly = onSource === undefined
  // While typing, the diagnostics of the last verdict stay; the editor moves them with the text.
  const verdict =
    compiled.status === 'checked'
      ? compiled.verdict
      : compiled.status === 'checking'
        ? compiled.last
        : undefined
  const diagnostics = verdict?.diagnostics ?? NO_DIAGNOSTICS

  return (
    <section aria-label={`Body of the ${kindWord(kind)} ${name}`} className="grid min-w-0 gap-3">
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
          label={`Solidity body of ${name || `the ${kindWord(kind)}`}`}
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
      {diagnostics.length > 0 && !readOnly ? (
        <BodyHint kind={kind} source={source} onMend={(mended) => area.current?.replaceAll(mended)} />
      ) : null}
      <TryRow
        kind={kind}
        source={verdict?.source ?? source}
        argsCount={verdict?.argsCount ?? undefined}
        likelyCount={argsCountOf(source)}
      />
    </section>
  )
}

/** A read-only line around the body. */
function FrameLine({ text }: { text: string }) {
  return (
    <pre className="mono whitespace-pre-wrap bg-sunk py-1.5 pr-3 pl-[3.25rem] text-ink-soft text-sm">
      <code>{text}</code>
    </pre>
  )
}

/** The compiler's verdict as a live region, and the arguments counted while typing. */
function CodeStatus({ state, source }: { state: CompileState; source: string }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
      <span role="status" className={`font-medium ${look(state)}`} data-testid="code-status">
        {verdictText(state)}
      </span>
      <span className="text-ink-soft" data-testid="code-arguments">
        {argumentsText(argsCountOfState(state) ?? argsCountOf(source))}
      </span>
    </p>
  )
}

function look(state: CompileState): string {
  if (state.status !== 'checked') return 'text-ink-soft'
  return state.verdict.argsCount === null ? 'text-madder' : 'text-verdigris'
}

function verdictText(state: CompileState): string {
  switch (state.status) {
    case 'checking':
      return 'Checking…'
    case 'unchecked':
      return `Not checked: ${state.reason}${state.retrying ? '. Trying again.' : '.'}`
    case 'checked': {
      const { argsCount, diagnostics } = state.verdict
      if (argsCount !== null) return 'Compiles'
      return diagnostics.length === 1 ? '1 error' : `${diagnostics.length} errors`
    }
  }
}

/** The compiler's count for the present text. */
function argsCountOfState(state: CompileState): number | undefined {
  return state.status === 'checked' ? (state.verdict.argsCount ?? undefined) : undefined
}

function argumentsText(count: number): string {
  if (count === 0) return 'takes no numbers'
  if (count === 1) return 'takes 1 number: args[0]'
  if (count === 2) return 'takes 2 numbers: args[0] and args[1]'
  return `takes ${count} numbers: args[0] to args[${count - 1}]`
}

const SHOWN = 8

/** The errors below the text; each leads to its place. */
function DiagnosticList({
  diagnostics,
  onReveal,
}: {
  diagnostics: readonly BodyDiagnostic[]
  onReveal: (diagnostic: BodyDiagnostic) => void
}) {
  if (diagnostics.length === 0) return null
  const more = diagnostics.length - SHOWN
  return (
    <ul aria-label="Compiler errors" className="grid gap-1 border-madder border-l-2 pl-3 text-sm">
      {diagnostics.slice(0, SHOWN).map((diagnostic, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same error may be at a place twice
        <li key={index}>
          {diagnostic.line === null ? (
            <span className="block py-1">{diagnostic.message}</span>
          ) : (
            <TextButton onClick={() => onReveal(diagnostic)} className="py-1 touch:min-h-11">
              {diagnosticText(diagnostic)}
            </TextButton>
          )}
        </li>
      ))}
      {more > 0 ? <li className="text-ink-soft">and {more} more</li> : null}
    </ul>
  )
}

/** Hint at the form of a body, where one does not compile and lacks what every body needs. */
function BodyHint({
  kind,
  source,
  onMend,
}: {
  kind: CodeKind
  source: string
  onMend: (source: string) => void
}) {
  const written = source.trim()
  if (/\breturn\b/.test(written) && written.endsWith(';')) return null
  const expression = /^(return\s+)?([^;{}\n]+);?$/.exec(written)?.[2]
  const mended = `return ${expression};`
  return (
    <div className="text-sm">
      <p>
        A body is what stands inside the function above: statements that end in a semicolon, and{' '}
        <code className="mono">return</code> with the result, for instance{' '}
        <code className="mono">{kind === 'condition' ? 'return args[0] > 0;' : 'return x + args[0];'}</code>
      </p>
      {expression === undefined ? null : (
        <Button look="text" size="small" className="px-0" onClick={() => onMend(mended)}>
          Write it as <code className="mono">{mended}</code>
        </Button>
      )}
    </div>
  )
}

/** The function around a body, shown but not edited. */
const FRAMES = {
  transformation: {
    open: (name: string) =>
      `function ${name || 'transformation'}(uint32 x, uint32[] calldata args) view returns (uint32) {`,
    close: '}',
    given: 'x is the value so far, args are the numbers given with the call. Return the next value.',
  },
  condition: {
    open: (name: string) => `function ${name || 'condition'}(int32[] calldata args) view returns (bool) {`,
    close: '}',
    given: 'args are the numbers given with the gate. Return whether the piece may play.',
  },
} as const

/** The compiler's verdict on the text of a body. */
type CompileState =
  /** `last` is the verdict on an earlier text. */
  | { readonly status: 'checking'; readonly last: Verdict | undefined }
  | { readonly status: 'checked'; readonly verdict: Verdict }
  | { readonly status: 'unchecked'; readonly reason: string; readonly retrying: boolean }

export interface Verdict {
  /** The text that was compiled. */
  readonly source: string
  /** Null while it does not compile. */
  readonly argsCount: number | null
  readonly diagnostics: readonly BodyDiagnostic[]
}

const DEBOUNCE_MS = 180

interface CompileQuestion {
  readonly kind: CodeKind
  readonly sol_src: string
}

/** Compiles a text whenever typing pauses. */
function useCompile(kind: CodeKind, source: string): CompileState {
  const question = useMemo((): CompileQuestion => ({ kind, sol_src: source }), [kind, source])
  const { state } = useLatest<CompileQuestion, CompileAnswer>(question, {
    send: requestCompile,
    debounceMs: DEBOUNCE_MS,
    maxRetries: Number.POSITIVE_INFINITY,
  })
  const { phase, message, answer } = state
  return useMemo(() => {
    const last = answer && {
      source: answer.question.sol_src,
      argsCount: answer.answer.args_count,
      diagnostics: answer.answer.diagnostics,
    }
    if (phase === 'done' && last?.source === source) return { status: 'checked', verdict: last }
    if (message === '') return { status: 'checking', last }
    return { status: 'unchecked', reason: message, retrying: phase === 'running' }
  }, [phase, message, answer, source])
}

interface CodeAreaHandle {
  reveal(diagnostic: BodyDiagnostic): void
  /** As if the text had been typed. */
  replaceAll(source: string): void
}

interface CodeAreaProps {
  readonly source: string
  readonly diagnostics: readonly BodyDiagnostic[]
  readonly label: string
  readonly describedBy: string
  readonly onSource: ((source: string) => void) | undefined
  readonly onUndo: (() => void) | undefined
  readonly onRedo: (() => void) | undefined
  readonly onTabLeaves: (leaves: boolean) => void
  readonly ref: Ref<CodeAreaHandle>
}

/** CodeMirror with the text of a body. */
function CodeArea(props: CodeAreaProps) {
  const { source, diagnostics, label, describedBy, onSource, ref } = props
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<MountedEditor>(undefined)
  const latest = useRef(props)
  latest.current = props
  const readOnly = onSource === undefined

  useEffect(() => {
    if (host.current === null) return
    const { current } = latest
    const mounted = mountEditor(host.current, {
      text: current.source,
      readOnly: current.onSource === undefined,
      language: solidityLanguage(),
      attributes: { 'aria-label': current.label, 'aria-describedby': current.describedBy },
      onText: (text) => latest.current.onSource?.(text),
      onTabLeaves: (leaves) => latest.current.onTabLeaves(leaves),
      undo:
        current.onUndo && current.onRedo
          ? { undo: () => latest.current.onUndo?.(), redo: () => latest.current.onRedo?.() }
          : undefined,
    })
    editor.current = mounted
    return () => mounted.destroy()
  }, [])

  useEffect(() => editor.current?.setText(source), [source])
  useEffect(() => editor.current?.setReadOnly(readOnly), [readOnly])
  useEffect(
    () => editor.current?.setAttributes({ 'aria-label': label, 'aria-describedby': describedBy }),
    [label, describedBy],
  )
  useEffect(() => editor.current?.setDiagnostics(diagnostics), [diagnostics])

  useImperativeHandle(
    ref,
    () => ({
      reveal: (diagnostic) => editor.current?.reveal(diagnostic),
      replaceAll: (text) => editor.current?.replaceAll(text),
    }),
    [],
  )

  return <div ref={host} />
}
