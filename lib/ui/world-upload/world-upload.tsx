'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '../button.tsx'
import { counted } from '../format.ts'
import { fromDrop, fromFiles } from './bundle/from-input.ts'
import { ChosenFiles } from './chosen-files.tsx'
import { DropZone } from './drop-zone.tsx'
import { ProblemList } from './problem-list.tsx'
import { readProblem } from './problems.ts'
import { PublishBar } from './publish-bar.tsx'
import { useUpload } from './use-upload.ts'
import { WorkSign } from './work-sign.tsx'

// What comes after a bundle was chosen, nobody has to wait for before.
const ManifestForm = lazy(async () => ({ default: (await import('./manifest-form.tsx')).ManifestForm }))
const PreviewBoard = lazy(async () => ({ default: (await import('./preview-board.tsx')).PreviewBoard }))

/** A World from a folder or a ZIP: looked at, mended, published. */
export function WorldUpload() {
  const upload = useUpload()
  const { chosen, manifest, work, problems, previewed, ended } = upload
  const [mending, setMending] = useState(false)
  const refused = problems.length > 0 || previewed?.answer.refusal !== undefined
  useEffect(() => {
    // Once open it stays: somebody is at it.
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
        {work ? <WorkSign work={work} /> : null}
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
            It keeps the rules. Nobody else sees this preview, and in half an hour nothing is left of it.
          </p>
        ) : null}
      </div>
      {previewed ? (
        <>
          {ended ? (
            <div className="flex flex-wrap items-center gap-3">
              <p className="text-sm">The half hour of this preview is over.</p>
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
          <Suspense fallback={<p className="text-sm">Opening the preview.</p>}>
            <PreviewBoard key={previewed.answer.id} view={previewed.view} />
          </Suspense>
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
            <Suspense fallback={<p className="text-sm">Opening the manifest.</p>}>
              <ManifestForm
                text={manifest}
                files={chosen.files}
                changed={upload.changed}
                onText={upload.setManifest}
                onTry={() => {
                  if (!busy) upload.tryAgain()
                }}
              />
            </Suspense>
          </div>
        </details>
      ) : null}
    </div>
  )
}
