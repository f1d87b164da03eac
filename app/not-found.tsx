import type { Metadata } from 'next'
import { LooseEnd } from '../lib/ui/loose-end.tsx'
import { measure, SiteFrame } from '../lib/ui/site-frame.tsx'

export const metadata: Metadata = { title: 'Page not found' }

export default function NotFound() {
  return (
    <SiteFrame>
      <div className={`${measure} pt-16`}>
        <LooseEnd />
      </div>
    </SiteFrame>
  )
}
