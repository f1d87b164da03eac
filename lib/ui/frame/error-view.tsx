'use client'

import { useEffect } from 'react'
import { measure } from '#lib/ui/components/measure.ts'
import { titleLook } from '#lib/ui/components/page-head.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { isMissingChunk } from '#lib/ui/kit/missing-chunk.ts'

export interface ErrorViewProps {
  error: Error & { digest?: string }
  retry: () => void
}

/** Message of the error that came again after another attempt. */
let tried: string | undefined

/** In place of a page that threw. */
export function ErrorView({ error, retry }: ErrorViewProps) {
  useEffect(() => {
    console.error(error)
  }, [error])
  const missing = isMissingChunk(error)
  const again = () => {
    // React and the bundler remember which code did not come, and what throws twice has a state that does not pass.
    if (missing || tried === error.message) location.reload()
    else {
      tried = error.message
      retry()
    }
  }
  return (
    <div className={`${measure} pt-16`}>
      <h1 className={titleLook.words}>A thread broke</h1>
      <p className="mt-6 max-w-prose text-lg">
        {missing
          ? 'A part of this page could not be loaded: the connection was cut, or a new version of the site is here. Nothing of yours is lost, and trying again loads the page anew.'
          : 'This page could not be drawn. Nothing of yours is lost: trying again often helps, since the cause may have passed.'}
      </p>
      {error.digest ? (
        <p className="mt-4 text-ink-soft text-sm">
          If it keeps happening, this number finds it in the server’s log: <code>{error.digest}</code>
        </p>
      ) : null}
      <div className="mt-8 flex flex-wrap items-center gap-6">
        <Button look="filled" onClick={again}>
          Try again
        </Button>
        <a className={textLink} href="/">
          Go to the first page
        </a>
      </div>
    </div>
  )
}
