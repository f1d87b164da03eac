'use client'

import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { BodyDiagnostic } from './diagnostics.ts'
import type { MountedEditor } from './mount-editor.ts'

export interface CodeAreaHandle {
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

/**
 * The text itself. A plain text area until the editor has been loaded, and for good when it cannot be: whoever is
 * quick, offline or without it can write all the same.
 */
export function CodeArea(props: CodeAreaProps) {
  const { source, diagnostics, label, describedBy, onSource, ref } = props
  const host = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const [editor, setEditor] = useState<MountedEditor>()
  const latest = useRef(props)
  latest.current = props
  const readOnly = onSource === undefined

  useEffect(() => {
    let mounted: MountedEditor | undefined
    let gone = false
    import('./mount-editor.ts').then(
      ({ mountEditor }) => {
        if (gone || host.current === null) return
        const { current } = latest
        const writing = document.activeElement === plain.current && plain.current !== null
        mounted = mountEditor(host.current, {
          text: current.source,
          readOnly: current.onSource === undefined,
          attributes: { 'aria-label': current.label, 'aria-describedby': current.describedBy },
          onText: (text) => latest.current.onSource?.(text),
          onTabLeaves: (leaves) => latest.current.onTabLeaves(leaves),
          undo:
            current.onUndo && current.onRedo
              ? { undo: () => latest.current.onUndo?.(), redo: () => latest.current.onRedo?.() }
              : undefined,
        })
        setEditor(mounted)
        if (writing) mounted.focus()
      },
      () => {
        // The text area stays.
      },
    )
    return () => {
      gone = true
      mounted?.destroy()
      setEditor(undefined)
    }
  }, [])

  useEffect(() => editor?.setText(source), [editor, source])
  useEffect(() => editor?.setReadOnly(readOnly), [editor, readOnly])
  useEffect(
    () => editor?.setAttributes({ 'aria-label': label, 'aria-describedby': describedBy }),
    [editor, label, describedBy],
  )
  useEffect(() => editor?.setDiagnostics(diagnostics), [editor, diagnostics])

  useImperativeHandle(
    ref,
    () => ({
      reveal: (diagnostic) => (editor ? editor.reveal(diagnostic) : plain.current?.focus()),
      replaceAll: (text) => {
        if (editor) editor.replaceAll(text)
        else latest.current.onSource?.(text)
      },
    }),
    [editor],
  )

  return (
    <>
      <div ref={host} hidden={editor === undefined} />
      {editor === undefined ? (
        <textarea
          ref={plain}
          value={source}
          readOnly={readOnly}
          onChange={(event) => onSource?.(event.currentTarget.value)}
          aria-label={label}
          aria-describedby={describedBy}
          spellCheck={false}
          autoCapitalize="off"
          rows={Math.min(20, Math.max(4, source.split('\n').length))}
          className="mono block w-full resize-y bg-transparent py-2 pr-3 pl-[calc(2.75rem+4ch)] text-sm leading-relaxed"
        />
      ) : null}
    </>
  )
}
