'use client'

import './globals.css'
import { useEffect } from 'react'
import { Button } from '../lib/ui/button.tsx'

/** When not even the frame of the pages can be drawn. */
export default function GlobalErrorPage({
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
    <html lang="en">
      <body>
        <title>A thread broke · Weft</title>
        <main className="mx-auto max-w-prose px-4 pt-24">
          <h1 className="font-semibold text-3xl tracking-tight">A thread broke</h1>
          <p className="mt-6 mb-8 text-lg">
            The site could not draw this page. Nothing of yours is lost: trying again often helps.
          </p>
          <Button look="primary" onClick={retry}>
            Try again
          </Button>
        </main>
      </body>
    </html>
  )
}
