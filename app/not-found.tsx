import type { Metadata } from 'next'
import { LooseEnd } from '../lib/ui/loose-end.tsx'
import { SiteFrame } from '../lib/ui/site-frame.tsx'

export const metadata: Metadata = { title: 'Page not found' }

export default function NotFound() {
  return (
    <SiteFrame>
      <LooseEnd />
    </SiteFrame>
  )
}
