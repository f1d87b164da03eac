'use client'

import { ErrorView, type ErrorViewProps } from '#lib/ui/frame/error-view.tsx'

/** For errors outside of the site's frame: every page loads this, so it brings no frame of its own. */
export default function ErrorPage(props: ErrorViewProps) {
  return (
    <main>
      <ErrorView {...props} />
    </main>
  )
}
