'use client'

import { useEffect, useState } from 'react'
import { MANIFEST_PATH } from '#lib/protocol/bundle-paths.ts'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { Segmented } from '#lib/ui/kit/segmented.tsx'
import { formatBytes } from '#lib/ui/world/error-messages.ts'
import type { WorldSourceView } from '#lib/views/world-source.ts'
import type { BundleEditor } from './editor.ts'
import { FileTools } from './file-tools.tsx'
import { type ListedFile, listedFiles, MAX_TEXT, type WorldFiles } from './files.ts'
import { loadFile, sourceHref } from './site.ts'

// CodeMirror is loaded beside the page, not before it.
const fileEditor = laterPart('The editor', async () => (await import('./file-editor.tsx')).default)

/** The files of a World, one of them open; to read, or in an editor to change. */
export function FilePane({
  source,
  edited,
  open,
  onOpen,
}: {
  /** The World they are from, where there is one. */
  source: WorldSourceView | undefined
  edited: { readonly editor: BundleEditor; readonly files: WorldFiles } | undefined
  /** Path of the file that was opened last. */
  open: string | undefined
  onOpen: (path: string) => void
}) {
  const files = edited ? listedFiles(edited.files) : (source?.files ?? [])
  const file = files.find(({ path }) => path === open) ?? firstShown(files, source === undefined)
  return (
    <section aria-label="Files" className="min-w-0">
      <div tabIndex={files.length > MANY ? 0 : undefined} className="mb-2 max-h-56 overflow-y-auto">
        <Segmented
          label="Files"
          choices={files.map(({ path }) => [path, path] as const)}
          value={file?.path}
          onChoose={onOpen}
          className="mono"
        />
      </div>
      {edited ? <FileTools {...edited} open={file?.path} /> : null}
      {file === undefined ? (
        <p className="text-sm">There are no files.</p>
      ) : (
        <OpenFile
          key={file.path}
          source={source}
          file={file}
          edited={edited?.files.files.get(file.path)}
          onText={edited && ((text) => edited.editor.change(new Map([[file.path, text]])))}
        />
      )}
    </section>
  )
}

/** So many names may take more lines than are shown at once. */
const MANY = 12

/** File that a reader looks for first: the script, else the page; an author, the manifest. */
function firstShown(files: readonly ListedFile[], isOwn: boolean): ListedFile | undefined {
  const names = ['world.js', 'main.js', 'index.js', 'index.html']
  const candidates = isOwn ? [MANIFEST_PATH, ...names] : names
  return candidates.flatMap((name) => files.find(({ path }) => path === name) ?? [])[0] ?? files[0]
}

function OpenFile({
  source,
  file: { path, size, text: isText },
  edited,
  onText,
}: {
  source: WorldSourceView | undefined
  file: ListedFile
  /** As it is in the editor; undefined while the World is only read. */
  edited: string | Blob | undefined
  onText: ((text: string) => void) | undefined
}) {
  const shown = isText && (typeof edited === 'string' || size <= MAX_TEXT)
  const [read, setRead] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const text = typeof edited === 'string' ? edited : read
  const slug = source?.slug
  const needed = shown && text === undefined && slug !== undefined
  useEffect(() => {
    if (!needed) return
    let gone = false
    loadFile(slug, path)
      .then((blob) => blob.text())
      .then(
        (content) => gone || setRead(content),
        (error: Error) => gone || setProblem(error.message),
      )
    return () => {
      gone = true
    }
  }, [needed, slug, path])
  if (!shown) {
    return (
      <p className="rounded-md border border-edge p-4 text-sm">
        {size > MAX_TEXT ? 'This file is too large to be shown' : 'This file is not text'} (
        {formatBytes(size)}).{' '}
        {source?.files.some((each) => each.path === path) ? (
          <a
            className="underline"
            href={sourceHref(source.slug, path)}
            download={path.slice(path.lastIndexOf('/') + 1)}
          >
            Download the original
          </a>
        ) : null}
      </p>
    )
  }
  if (problem) return <p role="alert" className="text-madder text-sm">{`${problem} Load the page again.`}</p>
  if (text === undefined) return <p className="text-sm">Loading {path}.</p>
  return (
    <section
      aria-label={path}
      className="max-h-[75dvh] min-w-0 overflow-auto rounded-md border border-edge bg-raised"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
      tabIndex={0}
    >
      <LoadLater
        part={fileEditor}
        props={{ path, text, onText }}
        opening={<pre className="mono overflow-x-auto p-3 text-xs">{text}</pre>}
      />
    </section>
  )
}
