'use client'

import { useEffect } from 'react'
import { Button } from '#lib/ui/components/button.tsx'
import { textLink } from '#lib/ui/components/link-style.ts'
import { measure } from '#lib/ui/components/measure.ts'

export interface ErrorViewProps {
  error: Error & { digest?: string }
  retry: () => void
}

/** In place of a page that threw. */
export function ErrorView({ error, retry }: ErrorViewProps) {
  useEffect(() => {
    console.error(error)
  }, [error])
  return (
    <div className={`${measure} pt-16`}>
      <h1 className="font-semibold text-3xl tracking-tight">A thread broke</h1>
      <p className="mt-6 max-w-prose text-lg">
        This page could not be drawn. Nothing of yours is lost: trying again often helps, since the cause may
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
  )
}
