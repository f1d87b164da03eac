import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { SiteFrame } from '#lib/ui/frame/site-frame.tsx'
import { sharedSite } from '#lib/views/page-metadata.ts'

/** Metadata of every page that has no picture of its own. */
export function generateMetadata(): Promise<Metadata> {
  return sharedSite()
}

export default function SiteLayout({ children }: { children: ReactNode }) {
  return <SiteFrame>{children}</SiteFrame>
}
