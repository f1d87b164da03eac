'use client'

import { useEffect } from 'react'
import { Button } from '../lib/ui/button.tsx'
import { textLink } from '../lib/ui/link-style.ts'
import { measure, SiteFrame } from '../lib/ui/site-frame.tsx'

export default function ErrorPage({
  error,
  retry,
}: {
  error: Error & { digest?: string }
  retry: () => void
}) {
  useEffect(() => {
    console.error(error)
  }, [error])
  return (
    <SiteFrame>
      <div className={`${measure} pt-16`}>
        <h1 className="font-semibold text-3xl tracking-tight">A thread broke</h1>
        <p className="mt-6 max-w-prose text-lg">
          This page could not be made. Nothing of yours is lost: trying again often helps, since the cause may
          have passed.
        </p>
        {error.digest ? (
          <p className="mt-4 text-ink-soft text-sm">
            If it keeps happening, this number finds it in the server’s log: <code>{error.digest}</code>
          </p>
        ) : null}
        <div className="mt-8 flex flex-wrap items-center gap-6">
          <Button look="primary" onClick={retry}>
            Try again
          </Button>
          <a className={textLink} href="/">
            Go to the first page
          </a>
        </div>
      </div>
    </SiteFrame>
  )
}
