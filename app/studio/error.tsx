'use client'

import { ErrorView, type ErrorViewProps } from '#lib/ui/frame/error-view.tsx'
import { StudioFrame } from '#lib/ui/studio/shell/frame.tsx'

/** Keeps the studio's bar, where the account is, around what broke. */
export default function StudioErrorPage(props: ErrorViewProps) {
  return (
    <StudioFrame>
      <ErrorView {...props} />
    </StudioFrame>
  )
}
