'use client'

import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

const SAID_MS = 2000

/**
 * Copies a link to a page of ours; says so to everybody, and shows the link where copying is not allowed.
 *
 * @param origin Of the site; without it, that of the page.
 */
export function CopyLink({ href, origin }: { href: string; origin?: string | undefined }) {
  const [said, setSaid] = useState<'copied' | 'refused'>()
  useEffect(() => {
    if (said !== 'copied') return
    const timer = setTimeout(() => setSaid(undefined), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])
  const copy = () => {
    navigator.clipboard.writeText(new URL(href, origin ?? window.location.origin).href).then(
      () => setSaid('copied'),
      () => setSaid('refused'),
    )
  }
  return (
    <span className="scripted inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button onClick={copy}>Copy link</Button>
      <span role="status" className="text-sm">
        {said === 'copied' ? 'Copied.' : null}
        {said === 'refused' ? (
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
