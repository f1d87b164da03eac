'use client'

import { LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language'
import { css } from '@codemirror/legacy-modes/mode/css'
import { javascript, json } from '@codemirror/legacy-modes/mode/javascript'
import { html } from '@codemirror/legacy-modes/mode/xml'
import { useEffect, useRef } from 'react'
import { type MountedEditor, mountEditor } from '#lib/ui/studio/code/mount-editor.ts'

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

/** A file of a World with highlighting. Mount it anew for another file. */
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
  return <div ref={host} />
}
