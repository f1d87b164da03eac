'use client'

import './globals.css'
import { ErrorView, type ErrorViewProps } from '#lib/ui/frame/error-view.tsx'

/** For errors of the root layout: without the frame of the site. */
export default function GlobalErrorPage(props: ErrorViewProps) {
  return (
    <html lang="en">
      <body>
        <title>A thread broke · Weft</title>
        <main>
          <ErrorView {...props} />
        </main>
      </body>
    </html>
  )
}
