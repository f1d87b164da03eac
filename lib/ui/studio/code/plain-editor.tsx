'use client'

import type { CodeEditorProps } from './code-editor.tsx'

/** Where the editor itself cannot be loaded: the body can still be read and written. */
export function PlainEditor({ kind, name, source, onSource }: CodeEditorProps) {
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
