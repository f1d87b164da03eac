'use client'

import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

const CONFIRMATION_MS = 2000

/**
 * Copies a link to a page of this site; shows the link where copying is not allowed.
 *
 * @param origin Of the site; without it, that of the page.
 */
export function CopyLink({ href, origin }: { href: string; origin?: string | undefined }) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>()
  useEffect(() => {
    if (outcome !== 'copied') return
    const timer = setTimeout(() => setOutcome(undefined), CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () => {
    navigator.clipboard.writeText(new URL(href, origin ?? window.location.origin).href).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    )
  }
  return (
    <span className="scripted inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button onClick={copy}>Copy link</Button>
      <span role="status" className="text-sm">
        {outcome === 'copied' ? 'Copied.' : null}
        {outcome === 'refused' ? (
          <>
            The browser does not let pages copy:{' '}
            <a className="underline [overflow-wrap:anywhere]" href={href}>
              take the link from here
            </a>
          </>
        ) : null}
      </span>
    </span>
  )
}
