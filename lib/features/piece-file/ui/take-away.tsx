'use client'

import { type ToggleEvent, useState } from 'react'
import { formatInteger } from '#lib/browser/format.ts'
import { useValue } from '#lib/ui/components/value.ts'
import { Button, ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { LoadLater, laterPart } from '#lib/ui/kit/load-later.tsx'
import { type HeardRun, useStageOffer } from '#lib/ui/studio/live/stage-offer.tsx'
import { useCapture } from '#lib/ui/world/use-capture.ts'

const soundFiles = laterPart('The sound files', () =>
  import('./sound-buttons.tsx').then((loaded) => loaded.SoundButtons),
)

/**
 * Files of a piece: its MIDI, its sound and its picture as the stage of the page has them, and all of it as one file,
 * whose size and content id are asked for when it is unfolded.
 *
 * @param run A run that sounds where the page has no stage.
 */
export function TakeAway({ name, run: ownRun }: { name: string; run?: HeardRun | undefined }) {
  const href = `/connectors/${encodeURIComponent(name)}/piece.html`
  const [{ sentence, outcome }, setFacts] = useState<Facts>({ sentence: '', outcome: 'open' })
  const [isOpen, setOpen] = useState(false)
  const stage = useValue(useStageOffer())
  const picture = useCapture()
  const run = ownRun ?? stage.run
  const hasPicture = run !== undefined && stage.offer?.captures.includes('picture') === true
  const hasFile = outcome !== 'none'
  const offered = [run && 'MIDI, sound', hasPicture && 'picture', hasFile && 'one file']
  const show = async ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) => {
    setOpen(currentTarget.open)
    if (!currentTarget.open || outcome !== 'open') return
    setFacts({ sentence: 'Making the file…', outcome: 'open' })
    setFacts(await factsOf(href))
  }
  return (
    <details className="text-sm" onToggle={show}>
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">
        Take it with you{' '}
        <span className="font-normal text-ink-soft">{offered.filter(Boolean).join(', ')}</span>
      </summary>
      <div className="space-y-3 pb-2">
        {isOpen && run ? (
          <div className="flex flex-wrap gap-2">
            <LoadLater part={soundFiles} props={{ name, run }} opening={null} />
            {hasPicture ? (
              <Button
                size="small"
                aria-disabled={picture.busy}
                onClick={() => stage.offer && void picture.take(name, stage.offer, 'picture')}
              >
                Picture (PNG)
              </Button>
            ) : null}
            <p role="status" className="w-full text-xs empty:hidden">
              {picture.message}
            </p>
          </div>
        ) : null}
        {hasFile ? (
          <ButtonLink size="small" href={href} download={`${name}.html`}>
            One file (HTML)
          </ButtonLink>
        ) : null}
        <p className="text-ink-soft">
          {run
            ? `${hasPicture ? 'MIDI, sound and picture' : 'MIDI and sound'} have the numbers as they are now. `
            : ''}
          {hasFile
            ? 'The one file is the piece as published: code, words, World and player, to open without this site and without any network. '
            : ''}
          <a className={textLink} href="/docs/keep-a-piece">
            How to keep it
          </a>
        </p>
        <p role="status" className="break-all text-ink-soft text-xs">
          {sentence}
        </p>
      </div>
    </details>
  )
}

interface Facts {
  readonly sentence: string
  /** Whether there is a file; `open` where that is not known, and is asked for when it is unfolded again. */
  readonly outcome: 'file' | 'none' | 'open'
}

/** Size and content id of a file, or why there is none. */
async function factsOf(href: string): Promise<Facts> {
  try {
    const { headers, ok, status } = await fetch(href, { method: 'HEAD' })
    // The answer to HEAD has no sentence.
    if (status === 400) return { sentence: await (await fetch(href)).text(), outcome: 'none' }
    if (!ok)
      return { sentence: 'The file cannot be made right now. Unfold this again to retry.', outcome: 'open' }
    const [, id] = /"(\w+)"/.exec(headers.get('etag') ?? '') ?? []
    const size = headers.get('content-length')
    // Platforms leave out the length of what they compress.
    const facts = [size && `${formatInteger(Number(size))} bytes`, id && `content id ${id}`]
    return { sentence: facts.filter(Boolean).join(', '), outcome: 'file' }
  } catch {
    return { sentence: 'The site does not answer. Unfold this again to retry.', outcome: 'open' }
  }
}
