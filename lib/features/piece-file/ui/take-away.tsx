'use client'

import { type ToggleEvent, useState } from 'react'
import { formatInteger } from '#lib/browser/format.ts'
import { ButtonLink } from '#lib/ui/components/button.tsx'
import { textLink } from '#lib/ui/components/link-style.ts'

/** The download of a piece as one file; its size and content id are asked for when it is unfolded. */
export function TakeAway({ name }: { name: string }) {
  const href = `/connectors/${encodeURIComponent(name)}/piece.html`
  const [facts, setFacts] = useState('')
  const show = async ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) => {
    if (currentTarget.open && facts === '') setFacts(await factsOf(href))
  }
  return (
    <details className="text-sm" onToggle={show}>
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">Take it with you</summary>
      <div className="space-y-3 pb-2">
        <p>
          One HTML file with code, words, World and player. It plays from a disk, without this site and
          without any network.{' '}
          <a className={textLink} href="/docs/keep-a-piece">
            How to keep it
          </a>
        </p>
        <ButtonLink href={href} download={`${name}.html`}>
          Download the piece
        </ButtonLink>
        <p role="status" className="break-all text-ink-soft text-xs">
          {facts}
        </p>
      </div>
    </details>
  )
}

/** Size and content id of a file, or why there is none. */
async function factsOf(href: string): Promise<string> {
  try {
    const response = await fetch(href, { method: 'HEAD' })
    const { headers, ok } = response
    if (!ok)
      return response.status === 400 ? await (await fetch(href)).text() : 'The file cannot be made right now.'
    const [, id] = /"(\w+)"/.exec(headers.get('etag') ?? '') ?? []
    return `${formatInteger(Number(headers.get('content-length')))} bytes, content id ${id}`
  } catch {
    return 'The site does not answer.'
  }
}
