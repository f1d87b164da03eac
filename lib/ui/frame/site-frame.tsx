import type { ReactNode } from 'react'
import { measure } from '#lib/ui/components/measure.ts'
import { OfflineStatus, SiteFooter, SiteHeader } from './site-parts.tsx'

/** Skip link, header, the page's `main`, footer. */
export function SiteFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="-translate-y-20 fixed top-3 left-3 z-over rounded-md bg-ink px-4 py-2.5 font-medium text-ground text-sm focus:translate-y-0"
      >
        Skip to content
      </a>
      {/* Where not all of them fit beside the rest, the pages have a row of their own, which scrolls when they are many. */}
      <header
        className={`${measure} flex flex-wrap items-center gap-x-2 gap-y-1.5 pt-1 sm:gap-x-4 bar:h-12 bar:flex-nowrap bar:pt-0`}
      >
        <SiteHeader />
      </header>
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <OfflineStatus />
      <footer className="mt-24 border-line border-t">
        <div
          className={`${measure} flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-8 text-ink-soft text-sm`}
        >
          <SiteFooter />
        </div>
      </footer>
    </div>
  )
}
