'use client'

import { type ToggleEvent, useState } from 'react'
import { formatInteger } from '#lib/browser/format.ts'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'

/** The download of a piece as one file; its size and content id are asked for when it is unfolded. */
export function TakeAway({ name }: { name: string }) {
  const href = `/connectors/${encodeURIComponent(name)}/piece.html`
  const [{ sentence, outcome }, setFacts] = useState<Facts>({ sentence: '', outcome: 'open' })
  const show = async ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) => {
    if (!currentTarget.open || outcome !== 'open') return
    setFacts({ sentence: 'Making the file…', outcome: 'open' })
    setFacts(await factsOf(href))
  }
  return (
    <details className="text-sm" onToggle={show}>
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">Download it as one file</summary>
      <div className="space-y-3 pb-2">
        <p>
          One HTML file with code, words, World and player. It plays from a disk, without this site and
          without any network.{' '}
          <a className={textLink} href="/docs/keep-a-piece">
            How to keep it
          </a>
        </p>
        {outcome === 'none' ? null : (
          <ButtonLink href={href} download={`${name}.html`}>
            Download the piece
          </ButtonLink>
        )}
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
