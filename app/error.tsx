'use client'

import { ErrorView, type ErrorViewProps } from '#lib/ui/frame/error-view.tsx'
import { SiteFrame } from '#lib/ui/frame/site-frame.tsx'

export default function ErrorPage(props: ErrorViewProps) {
  return (
    <SiteFrame>
      <ErrorView {...props} />
    </SiteFrame>
  )
}
