'use client'

import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import type { BodyDiagnostic } from './code-text.ts'
import { type MountedEditor, mountEditor } from './mount-editor.ts'
import { solidityLanguage } from './solidity-language.ts'

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

/** CodeMirror with the text of a body. */
export function CodeArea(props: CodeAreaProps) {
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
