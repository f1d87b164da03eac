'use client'

import { useEffect, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { worldPageHref } from '#lib/protocol/run-link.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { LoadLater, laterPart, loadAhead, ServedLater } from '#lib/ui/kit/load-later.tsx'
import { formatBytes } from '#lib/ui/world/error-messages.ts'
import type { WorldSourceView } from '#lib/views/world-source.ts'
import { DropZone } from './drop-zone.tsx'
import { BundleEditor, type EditorState, type Work } from './editor.ts'
import { fromChoice, fromDrop, listedFiles, type WorldFiles } from './files.ts'
import { useManager } from './owner/use-manager.ts'
import { ProblemList } from './problem-list.tsx'
import { readProblem } from './problems.ts'
import { draftStore, editorSite, loadSource, loadTemplate, type Purpose } from './site.ts'

const filePane = laterPart('The list of files', async () => (await import('./file-pane.tsx')).FilePane)

const publishBar = laterPart('Publishing', async () => (await import('./publish-bar.tsx')).PublishBar)

const preview = laterPart('The preview', async () => (await import('./preview.tsx')).default)

/**
 * The one editor of Worlds.
 *
 * @param source The World whose files are read, remixed, or followed by another version; without one the editor is for
 *   a new World.
 * @param begin Purpose that needs no press.
 */
export function WorldEditor({ source, begin }: { source?: WorldSourceView; begin?: Purpose | undefined }) {
  const [purpose, setPurpose] = useState(source ? begin : 'new')
  return purpose === undefined && source ? (
    <Reader source={source} onPurpose={setPurpose} />
  ) : (
    <Editing
      key={purpose}
      source={source}
      purpose={purpose ?? 'new'}
      onDiscard={() => source && setPurpose(undefined)}
    />
  )
}

/** The files of a World, to be read. */
function Reader({ source, onPurpose }: { source: WorldSourceView; onPurpose: (purpose: Purpose) => void }) {
  const [stored, setStored] = useState<readonly Purpose[]>([])
  const [open, setOpen] = useState<string>()
  const manager = useManager(source.owner)
  useEffect(() => {
    for (const purpose of ['remix', 'version'] as const) {
      void draftStore(purpose, source.id)
        .read()
        .then((files) => files && setStored((before) => [...before, purpose]))
    }
  }, [source.id])
  return (
    <div className="space-y-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Button look="filled" onClick={() => onPurpose('remix')}>
          {stored.includes('remix') ? 'Continue your remix' : 'Remix'}
        </Button>
        {manager ? (
          <Button onClick={() => onPurpose('version')}>
            {stored.includes('version') ? 'Continue your changes' : 'Change or replace it'}
          </Button>
        ) : null}
        <p className="text-sm">Change these files with a live preview, and publish them as your own World.</p>
        <ButtonLink href={worldPageHref(source.slug)}>Back to the World</ButtonLink>
      </div>
      <ServedLater part={filePane} props={{ source, edited: undefined, open, onOpen: setOpen }} />
    </div>
  )
}

function Editing({
  source,
  purpose,
  onDiscard,
}: {
  source: WorldSourceView | undefined
  purpose: Purpose
  onDiscard: () => void
}) {
  const [editor] = useState(
    () => new BundleEditor(editorSite(purpose, source), draftStore(purpose, source?.id)),
  )
  const state = useValue(editor.state)
  const { files, work, previewed } = state
  // They come while files are chosen.
  useEffect(() => loadAhead(filePane, publishBar), [])
  useEffect(() => {
    void editor.resume(source && (() => loadSource(purpose, source)))
    const leave = () => editor.close()
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [editor, purpose, source])
  const discard = () => {
    if (!confirm('Discard these files?')) return
    void editor.discard().then(onDiscard)
  }
  return (
    <div className="space-y-6">
      {purpose === 'remix' ? null : (
        <DropZone
          compact={files && 'Drop another, or'}
          disabled={state.publishing.at === 'under way'}
          onDrop={(data) => void editor.load(fromDrop(data))}
          onPick={(files) => void editor.load(fromChoice(files))}
          onTemplate={files ? undefined : () => void editor.load(loadTemplate())}
        />
      )}
      {files ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <Summary files={files} isStored={state.isStored} />
          <Button onClick={discard}>Discard it</Button>
          {state.before ? (
            <Button onClick={() => editor.takeBack()}>
              Back to <span className="[overflow-wrap:anywhere]">{state.before.name}</span>
            </Button>
          ) : null}
          {source ? <ButtonLink href={worldPageHref(source.slug)}>Back to the World</ButtonLink> : null}
        </div>
      ) : null}
      {files ? (
        <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
          {files.unread ? (
            <p className="text-sm">This browser cannot open the ZIP, so the site looks into it.</p>
          ) : (
            <LoadLater
              part={filePane}
              props={{
                source,
                edited: { editor, files },
                open: state.open,
                onOpen: (path) => editor.show(path),
              }}
              opening={<p className="text-sm">Opening the files.</p>}
            />
          )}
          <section aria-label="Live preview" className="min-w-0 space-y-4">
            <PreviewStatus editor={editor} state={state} />
            {previewed ? (
              <LoadLater part={publishBar} props={{ editor, state, previewed }} opening={null} />
            ) : null}
            {previewed ? (
              <LoadLater
                part={preview}
                props={{ view: previewed.view }}
                opening={<p className="text-sm">Opening the preview.</p>}
              />
            ) : null}
          </section>
        </div>
      ) : (
        <PreviewStatus editor={editor} state={state} />
      )}
      {files === undefined && source && work === undefined && state.problems.length > 0 ? (
        <Button onClick={() => void editor.resume(() => loadSource(purpose, source))}>Try again</Button>
      ) : null}
    </div>
  )
}

/** Facts of the chosen files, and whether they are stored. */
function Summary({ files, isStored }: { files: WorldFiles; isStored: boolean }) {
  const listed = listedFiles(files)
  const bytes = listed.reduce((sum, { size }) => sum + size, 0)
  return (
    <div className="min-w-0 text-sm">
      <p className="[overflow-wrap:anywhere]">
        <span className="font-medium">{files.name}</span>
        {listed.length > 0 ? `: ${counted(listed.length, 'file')}, ${formatBytes(bytes)}` : ''}
      </p>
      {files.leftOut.length > 0 ? (
        <p className="text-ink-soft [overflow-wrap:anywhere]">
          Left out: {files.leftOut.slice(0, SHOWN).join(', ')}
          {files.leftOut.length > SHOWN ? ` and ${files.leftOut.length - SHOWN} more` : ''}
        </p>
      ) : null}
      <p className="text-ink-soft">
        {isStored
          ? 'Saved in this browser.'
          : 'This browser does not store these files: publish them before you leave.'}
      </p>
    </div>
  )
}

const SHOWN = 20

const WORDS: Readonly<Record<Work['doing'], string>> = {
  reading: 'Reading the files…',
  packing: 'Packing them in this browser…',
  sending: 'Sending it…',
  checking: 'Checking every file…',
  opening: 'Opening it…',
}

/** State of the preview: progress, problems, advice. */
function PreviewStatus({ editor, state }: { editor: BundleEditor; state: EditorState }) {
  const { work, problems, previewed, hasExpired } = state
  const advice = previewed?.answer.warnings.map(readProblem) ?? []
  const list = { onOpen: (path: string) => editor.show(path) }
  return (
    <>
      <div role="status" className="min-h-10">
        {work ? (
          <div className="max-w-md">
            <p className="pb-1 text-sm">{WORDS[work.doing]}</p>
            <progress
              aria-label={WORDS[work.doing]}
              className="h-1.5 w-full accent-accent"
              max={1}
              {...('share' in work && { value: work.share })}
            />
          </div>
        ) : null}
        {problems.length > 0 ? (
          <section aria-labelledby="problems" className="space-y-4">
            <h2 id="problems" className="font-semibold text-lg">
              {problems.length === 1 ? 'One thing is wrong' : `${problems.length} things are wrong`}
            </h2>
            <ProblemList problems={problems} tone="problem" {...list} />
            {previewed ? <p className="text-sm">The preview shows the last version that worked.</p> : null}
          </section>
        ) : null}
        {previewed && problems.length === 0 && !work ? (
          <p className="text-sm">
            It is valid. Nobody else sees this preview, and it is deleted after 30 minutes.
          </p>
        ) : null}
      </div>
      {hasExpired ? (
        <div className="flex flex-wrap items-center gap-3">
          <p className="text-sm">This preview has expired (30 minutes).</p>
          <Button onClick={() => void editor.preview()}>Preview it again</Button>
        </div>
      ) : null}
      {advice.length > 0 ? (
        <details className="border-line border-y">
          <summary className="min-h-11 cursor-pointer py-2.5 text-sm">
            {counted(advice.length, 'piece')} of advice
          </summary>
          <div className="pb-4">
            <ProblemList problems={advice} tone="advice" {...list} />
          </div>
        </details>
      ) : null}
    </>
  )
}
