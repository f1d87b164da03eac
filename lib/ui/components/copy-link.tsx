'use client'

import { useEffect, useState } from 'react'
import { Button } from '#lib/ui/kit/button.tsx'
import { copyText } from '#lib/ui/kit/clipboard.ts'
import { withKnobsOf } from './knob-query.ts'

const CONFIRMATION_MS = 2000

/**
 * Copies a link to a page of this site; shows the link where copying is not allowed.
 *
 * @param origin Of the site; without it, that of the page.
 * @param knobs Keeps how the knobs of this page are turned.
 */
export function CopyLink({
  href,
  origin,
  knobs = false,
}: {
  href: string
  origin?: string | undefined
  knobs?: boolean
}) {
  const [outcome, setOutcome] = useState<'copied' | 'copied with knobs' | { readonly refused: string }>()
  useEffect(() => {
    if (typeof outcome !== 'string') return
    const timer = setTimeout(() => setOutcome(undefined), CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () => {
    const plain = new URL(href, origin ?? window.location.origin).href
    const link = knobs ? withKnobsOf(plain, window.location.search) : plain
    void copyText(link).then((copied) =>
      setOutcome(copied ? (link === plain ? 'copied' : 'copied with knobs') : { refused: link }),
    )
  }
  return (
    <span className="scripted inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button onClick={copy}>Copy link</Button>
      <span role="status" className="text-sm">
        {outcome === 'copied' ? 'Copied.' : null}
        {outcome === 'copied with knobs' ? 'Copied with your numbers.' : null}
        {typeof outcome === 'object' ? (
          <>
            The browser does not let pages copy:{' '}
            <a className="underline [overflow-wrap:anywhere]" href={outcome.refused}>
              take the link from here
            </a>
          </>
        ) : null}
      </span>
    </span>
  )
}
