'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'
import { createPortal } from 'react-dom'
import { Mark } from '#lib/ui/components/logo.tsx'
import { useSiteWords } from '#lib/ui/components/site-words.tsx'
import { ThemeToggle } from '#lib/ui/components/theme-toggle.tsx'
import { AccountControl } from '#lib/ui/wallet/account-control.tsx'

const BarSlot = createContext<HTMLElement | null>(null)

/**
 * The studio's window: one bar over everything else. What belongs to the account stays while another workspace takes the
 * place of this one.
 */
export function StudioFrame({ children }: { children: ReactNode }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const { name } = useSiteWords()
  return (
    <div data-studio className="flex h-[max(100dvh,22rem)] flex-col overflow-hidden">
      <a
        href="#content"
        className="-translate-y-20 fixed top-2 left-2 z-skip rounded-md bg-ink px-4 py-2.5 font-medium text-ground text-sm focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="relative z-dialog flex h-12 shrink-0 items-center gap-1 border-line border-b px-2 max-xs:gap-0 sm:px-3">
        <a
          href="/"
          title="Back to the site"
          className="flex shrink-0 items-center gap-2 rounded-md py-1 pr-1 font-semibold tracking-tight"
        >
          <Mark />
          <span className="max-w-40 truncate max-lg:sr-only">{name}</span>
        </a>
        <div ref={setSlot} className="flex min-w-0 flex-1 items-center gap-1 max-xs:gap-0" />
        <span className="max-bar:hidden">
          <ThemeToggle />
        </span>
        <AccountControl />
      </header>
      <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-auto outline-none">
        <h1 className="sr-only">Studio</h1>
        <BarSlot value={slot}>{children}</BarSlot>
      </main>
    </div>
  )
}

/** Renders into the bar. */
export function InBar({ children }: { children: ReactNode }) {
  const slot = useContext(BarSlot)
  return slot && createPortal(children, slot)
}
