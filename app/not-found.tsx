import type { Metadata } from 'next'
import { NotFoundView } from '#lib/ui/frame/not-found-view.tsx'
import { SiteFrame } from '#lib/ui/frame/site-frame.tsx'

export const metadata: Metadata = { title: 'Page not found' }

export default function NotFound() {
  return (
    <SiteFrame>
      <NotFoundView />
    </SiteFrame>
  )
}
