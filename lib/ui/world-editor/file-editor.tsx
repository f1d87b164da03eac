'use client'

import { LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language'
import { css } from '@codemirror/legacy-modes/mode/css'
import { javascript, json } from '@codemirror/legacy-modes/mode/javascript'
import { html } from '@codemirror/legacy-modes/mode/xml'
import { useEffect, useMemo, useRef } from 'react'
import { MANIFEST_PATH } from '#lib/protocol/bundle-paths.ts'
import { TextButton } from '#lib/ui/kit/button.tsx'
import { diagnosticText } from '#lib/ui/studio/code/code-text.ts'
import { type MountedEditor, mountEditor } from '#lib/ui/studio/code/mount-editor.ts'
import { manifestDiagnostics } from './manifest-check.ts'

const PARSERS: ReadonlyMap<string, StreamParser<unknown>> = new Map([
  ['js', javascript],
  ['mjs', javascript],
  ['json', json],
  ['css', css],
  ['html', html],
  ['htm', html],
  ['svg', html],
  ['xml', html],
])

/** A file of a World with highlighting; its manifest is validated while it is typed. Mount it anew for another file. */
export default function FileEditor({
  path,
  text,
  onText,
}: {
  path: string
  text: string
  /** Absent: the text can be read and copied only. */
  onText: ((text: string) => void) | undefined
}) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<MountedEditor>(undefined)
  const latest = useRef({ text, onText })
  latest.current = { text, onText }
  const readOnly = onText === undefined
  const isChecked = path === MANIFEST_PATH && !readOnly
  const wrong = useMemo(() => (isChecked ? manifestDiagnostics(text) : []), [isChecked, text])
  useEffect(() => {
    if (host.current === null) return
    const parser = PARSERS.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
    const mounted = mountEditor(host.current, {
      text: latest.current.text,
      readOnly: latest.current.onText === undefined,
      language: parser ? new LanguageSupport(StreamLanguage.define(parser)) : [],
      attributes: { 'aria-label': `Text of ${path}` },
      onText: (changed) => latest.current.onText?.(changed),
      onTabLeaves: () => {},
      undo: undefined,
    })
    editor.current = mounted
    return () => mounted.destroy()
  }, [path])
  useEffect(() => editor.current?.setText(text), [text])
  useEffect(() => editor.current?.setReadOnly(readOnly), [readOnly])
  useEffect(() => editor.current?.setDiagnostics(wrong), [wrong])
  return (
    <>
      <div ref={host} />
      {isChecked ? (
        <div role="status" className="border-line border-t px-3 py-2 text-sm [overflow-wrap:anywhere]">
          {wrong.length === 0 ? <p className="text-verdigris">The manifest is valid.</p> : null}
          <ul className="space-y-1">
            {wrong.map((each) => (
              <li key={diagnosticText(each)}>
                <TextButton className="text-madder" onClick={() => editor.current?.reveal(each)}>
                  {diagnosticText(each)}
                </TextButton>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </>
  )
}
