import type { ReactNode } from 'react'
import { StudioFrame } from '#lib/ui/studio/shell/frame.tsx'

/** The studio's bar, where the account is, stays around what breaks below it. */
export default function StudioLayout({ children }: { children: ReactNode }) {
  return <StudioFrame>{children}</StudioFrame>
}
