'use client'

import { useEffect, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { worldHref } from '#lib/ui/components/entity-href.ts'
import { Notice } from '#lib/ui/components/notice.tsx'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { fromDrop, fromFiles } from './bundle/from-input.ts'
import { ChosenFiles, DropZone, WorkStatus } from './drop-zone.tsx'
import { byFile, type Problem, readProblem } from './problems.ts'
import { type Previewed, useUpload } from './use-upload.ts'

// Loaded after a bundle was chosen.
const manifestEditor = laterPart(
  'The manifest',
  async () => (await import('./manifest-editor.tsx')).ManifestEditor,
  false,
)
const previewBoard = laterPart(
  'The preview',
  async () => (await import('./preview-board.tsx')).PreviewBoard,
  false,
)

/** A World from a folder or a ZIP: looked at, mended, published. */
export function WorldUpload() {
  const upload = useUpload()
  const { chosen, manifest, work, problems, previewed, ended } = upload
  const [mending, setMending] = useState(false)
  const refused = problems.length > 0 || previewed?.answer.refusal !== undefined
  useEffect(() => {
    // Stays open once opened.
    if (refused) setMending(true)
  }, [refused])
  const busy = work !== undefined || upload.publishing.at === 'under way'
  return (
    <div className="space-y-8">
      <DropZone
        compact={chosen && 'Drop another, or'}
        disabled={busy}
        onDrop={(data) => upload.choose(fromDrop(data))}
        onPick={(files) => upload.choose(fromFiles(files))}
      />
      {chosen ? <ChosenFiles chosen={chosen} /> : null}
      <div role="status">
        {work ? <WorkStatus work={work} /> : null}
        {problems.length > 0 ? (
          <section aria-labelledby="problems" className="space-y-4">
            <h2 id="problems" className="font-semibold text-lg">
              {problems.length === 1 ? 'One thing is wrong' : `${problems.length} things are wrong`}
            </h2>
            <ProblemList problems={problems} tone="problem" />
            <p className="max-w-prose text-ink-soft text-sm">
              Mend the files and choose them again
              {manifest === undefined
                ? '.'
                : ', or mend the manifest below: the bundle is packed anew with it, your files stay as they are.'}
            </p>
          </section>
        ) : null}
        {previewed && !work ? (
          <p className="text-sm">
            It is valid. Nobody else sees this preview, and it is deleted after 30 minutes.
          </p>
        ) : null}
      </div>
      {previewed ? (
        <>
          {ended ? (
            <div className="flex flex-wrap items-center gap-3">
              <p className="text-sm">This preview has expired (30 minutes).</p>
              <Button onClick={upload.tryAgain}>Preview it again</Button>
            </div>
          ) : null}
          <PublishBar upload={upload} previewed={previewed} />
          {previewed.answer.warnings.length > 0 ? (
            <details className="border-line border-y">
              <summary className="min-h-11 cursor-pointer py-2.5 text-sm">
                {counted(previewed.answer.warnings.length, 'piece')} of advice
              </summary>
              <div className="pb-4">
                <ProblemList problems={previewed.answer.warnings.map(readProblem)} tone="advice" />
              </div>
            </details>
          ) : null}
          <LoadLater
            key={previewed.answer.id}
            part={previewBoard}
            props={{ view: previewed.view }}
            opening={<p className="text-sm">Opening the preview.</p>}
          />
        </>
      ) : null}
      {chosen && manifest !== undefined && upload.publishing.at !== 'done' ? (
        <details
          open={mending}
          onToggle={(event) => setMending(event.currentTarget.open)}
          className="border-ink border-t-2"
        >
          <summary className="min-h-11 cursor-pointer py-3 font-semibold text-base">Its manifest</summary>
          <div className="max-w-[52rem] pb-4">
            <LoadLater
              part={manifestEditor}
              props={{
                text: manifest,
                changed: upload.changed,
                onText: upload.setManifest,
                onTry: () => {
                  if (!busy) upload.tryAgain()
                },
              }}
              opening={<p className="text-sm">Opening the manifest.</p>}
            />
          </div>
        </details>
      ) : null}
    </div>
  )
}

/** List of errors and warnings, by the file that they are about. */
export function ProblemList({
  problems,
  tone,
}: {
  problems: readonly Problem[]
  tone: 'problem' | 'advice'
}) {
  return (
    <ul className="space-y-4">
      {byFile(problems).map(({ file, problems: group }) => (
        <li
          key={file ?? ''}
          className={`border-l-2 pl-4 ${tone === 'problem' ? 'border-madder' : 'border-edge'}`}
        >
          <p className="font-medium text-sm">
            {file === undefined ? 'The bundle' : <code className="[overflow-wrap:anywhere]">{file}</code>}
          </p>
          <ul className="mt-1 space-y-1 text-sm [overflow-wrap:anywhere]">
            {group.map(({ place, text }) => (
              <li key={`${place ?? ''} ${text}`}>
                {place ? (
                  <>
                    <code className="font-medium">{place}</code>:{' '}
                  </>
                ) : null}
                {text}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

/** Publishes what is being looked at. */
export function PublishBar({
  upload: { publishing, signedIn, publish, work, problems },
  previewed: { answer, view },
  waits = false,
}: {
  upload: ReturnType<typeof useUpload>
  previewed: Previewed
  /** Whether the preview is not of the newest files. */
  waits?: boolean
}) {
  if (publishing.at === 'done') {
    return (
      <div role="status">
        <Notice title={`${view.framed.name} is published`}>
          <p>It is in the gallery, for everybody. On its page you can replace or delete it.</p>
          <ButtonLink
            // The button that was pressed is gone.
            ref={(link) => link?.focus()}
            look="filled"
            href={worldHref(publishing.slug)}
          >
            Go to its page
          </ButtonLink>
        </Notice>
      </div>
    )
  }
  const lines = publishing.at === 'refused' ? publishing.lines : answer.refusal ? [`${answer.refusal}.`] : []
  const underWay = publishing.at === 'under way'
  return (
    <section aria-label="Publish" className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <Button
        look="filled"
        disabled={waits || work !== undefined || problems.length > 0 || answer.refusal !== undefined}
        // Not disabled while it works: that would take the focus away.
        onClick={() => (underWay ? undefined : void publish())}
      >
        {underWay ? 'Publishing…' : signedIn ? 'Publish it' : 'Sign in and publish it'}
      </Button>
      <div role="status" className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">
        {underWay ? (
          <progress
            aria-label="Publishing"
            className="h-1.5 w-full max-w-md accent-accent"
            max={1}
            {...(publishing.share < 1 && { value: publishing.share })}
          />
        ) : null}
        {lines.map((line) => (
          <p key={line} className="text-madder">
            {line}
          </p>
        ))}
      </div>
    </section>
  )
}
