'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { worldPageHref } from '#lib/protocol/run-link.ts'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { Segmented } from '#lib/ui/kit/segmented.tsx'
import { formatBytes } from '#lib/ui/world/error-messages.ts'
import { WorkStatus } from '#lib/ui/world-upload/drop-zone.tsx'
import { readProblem } from '#lib/ui/world-upload/problems.ts'
import { useUpload } from '#lib/ui/world-upload/use-upload.ts'
import { ProblemList, PublishBar } from '#lib/ui/world-upload/world-upload.tsx'
import type { WorldSourceView } from '#lib/views/world-source.ts'
import { loadFile, remixFiles } from './remix.ts'
import { RemixFiles } from './remix-files.tsx'
import { useRemix } from './use-remix.ts'

// CodeMirror and the preview are loaded beside the page, not before it.
const fileEditor = laterPart('The editor', async () => (await import('./file-editor.tsx')).default)
const livePreview = laterPart('The preview', async () => (await import('./live-preview.tsx')).default)

const BESIDE = 'grid gap-6 lg:grid-cols-2 lg:items-start'

/** The files of a World, to be read; and, pressed once, to be changed beside a preview that follows. */
export function WorldSource({ source, begin }: { source: WorldSourceView; begin: boolean }) {
  const upload = useUpload({ keepsLast: true })
  const { state, typing, open, change, discard, published } = useRemix(source, begin, upload.choose)
  const [chosen, setPath] = useState<string>()
  const remix = state.at === 'remixing' ? state.remix : undefined
  const files = remix ? remixFiles(remix) : source.files
  const file = files.find(({ path }) => path === chosen) ?? firstShown(files)
  const done = upload.publishing.at === 'done'
  const drop = useEffectEvent(published)
  useEffect(() => {
    if (done) drop()
  }, [done])
  return (
    <div className="space-y-6">
      <div className={remix ? BESIDE : ''}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          {remix ? (
            <>
              <p className="text-sm">
                {state.at === 'remixing' && state.isStored
                  ? 'Your remix is saved in this browser.'
                  : 'This browser does not store your remix: publish it before you leave.'}
              </p>
              <Button
                onClick={() => {
                  if (confirm('Discard your changes to this World?')) void discard()
                }}
              >
                Discard it
              </Button>
            </>
          ) : (
            <>
              <Button look="filled" disabled={state.at === 'loading'} onClick={open}>
                {state.at === 'reading' && state.stored ? 'Continue your remix' : 'Remix'}
              </Button>
              <p className="text-sm">
                Change these files with a live preview, and publish them as your own World.
              </p>
            </>
          )}
          <ButtonLink href={worldPageHref(source.slug)}>Back to the World</ButtonLink>
        </div>
        {remix && upload.previewed ? (
          <PublishBar upload={upload} previewed={upload.previewed} waits={typing} />
        ) : null}
      </div>
      {state.at === 'reading' && state.problem ? (
        <p role="alert" className="text-madder text-sm">
          {state.problem} Try again.
        </p>
      ) : null}
      <div className={remix ? BESIDE : ''}>
        <section aria-label="Files" className="min-w-0">
          <Segmented
            label="Files"
            choices={files.map(({ path }) => [path, path] as const)}
            value={file?.path}
            onChoose={setPath}
            className="mono mb-2"
          />
          {remix ? <RemixFiles remix={remix} open={file?.path} onChange={change} onOpen={setPath} /> : null}
          {file === undefined ? (
            <p className="text-sm">This World has no files.</p>
          ) : (
            <OpenFile
              key={file.path}
              source={source}
              file={file}
              remixed={remix?.files.get(file.path)}
              onText={remix && ((text) => change(new Map([[file.path, text]])))}
            />
          )}
        </section>
        {remix ? (
          <section aria-label="Live preview" className="min-w-0 space-y-4">
            <div role="status" className="min-h-10">
              {upload.work ? <WorkStatus work={upload.work} /> : null}
              {upload.problems.length > 0 ? (
                <>
                  {upload.previewed ? (
                    <p className="pb-3 text-sm">The preview shows the last version that worked.</p>
                  ) : null}
                  <ProblemList problems={upload.problems} tone="problem" />
                </>
              ) : null}
            </div>
            {upload.previewed ? (
              <LoadLater
                part={livePreview}
                props={{ view: upload.previewed.view }}
                opening={<p className="text-sm">Opening the preview.</p>}
              />
            ) : null}
            {upload.previewed && upload.previewed.answer.warnings.length > 0 ? (
              <ProblemList problems={upload.previewed.answer.warnings.map(readProblem)} tone="advice" />
            ) : null}
          </section>
        ) : null}
      </div>
    </div>
  )
}

/** File that a reader looks for first: the script, else the page. */
function firstShown(files: WorldSourceView['files']): WorldSourceView['files'][number] | undefined {
  const names = ['world.js', 'main.js', 'index.js', 'index.html']
  return names.flatMap((name) => files.find(({ path }) => path === name) ?? [])[0] ?? files[0]
}

/** Larger text makes editors slow. */
const MAX_SHOWN = 512 * 1024

function OpenFile({
  source,
  file: { path, size, text: isText },
  remixed,
  onText,
}: {
  source: WorldSourceView
  file: WorldSourceView['files'][number]
  /** As it is in the remix; undefined while the World is only read. */
  remixed: string | Blob | undefined
  onText: ((text: string) => void) | undefined
}) {
  const shown = isText && size <= MAX_SHOWN
  const [read, setRead] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const text = typeof remixed === 'string' ? remixed : read
  const needed = shown && text === undefined
  useEffect(() => {
    if (!needed) return
    let gone = false
    loadFile(source.slug, path)
      .then((blob) => blob.text())
      .then(
        (found) => gone || setRead(found),
        (error: Error) => gone || setProblem(error.message),
      )
    return () => {
      gone = true
    }
  }, [needed, source.slug, path])
  const address = `/worlds/${source.slug}/source/file?${new URLSearchParams({ path })}`
  if (!shown) {
    return (
      <p className="rounded-md border border-edge p-4 text-sm">
        {isText ? 'This file is too large to be shown' : 'This file is not text'} ({formatBytes(size)}).{' '}
        {source.files.some((each) => each.path === path) ? (
          <a className="underline" href={address} download={path.slice(path.lastIndexOf('/') + 1)}>
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
