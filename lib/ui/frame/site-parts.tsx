'use client'

import { Bell } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useSyncExternalStore } from 'react'
import { Mark } from '#lib/ui/components/logo.tsx'
import { useSiteWords } from '#lib/ui/components/site-words.tsx'
import { ThemeToggle } from '#lib/ui/components/theme-toggle.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { AccountControl } from '#lib/ui/wallet/account-control.tsx'
import { useSession } from '#lib/ui/wallet/session/use-session.ts'
import { HeaderSearch } from './search-parts.ts'

/** The header of every page. A client component: as a server one, every page's payload would carry it twice. */
export function SiteHeader() {
  const { name } = useSiteWords()
  return (
    <>
      <a href="/" className="flex items-center gap-2.5 rounded-md font-semibold text-lg tracking-tight">
        <Mark />
        <span className="max-w-48 truncate max-sm:max-w-16 max-xs:sr-only">{name}</span>
      </a>
      <nav
        aria-label="Site"
        className="-mx-1.5 w-full min-w-0 overflow-x-auto sm:max-bar:-mx-3 max-bar:order-last bar:mx-0 bar:ml-auto bar:w-auto"
      >
        <NavLinks />
      </nav>
      <div className="flex items-center gap-1 max-bar:ml-auto">
        <HeaderSearch />
        <NoticesLink />
        <AccountControl />
        <ThemeToggle />
      </div>
    </>
  )
}

/** Leads to the notices of an account, with the number of new ones; visitors have none. */
function NoticesLink() {
  const state = useSession()
  if (state.status === 'visitor' || (state.status === 'unknown' && state.guess === undefined)) return null
  const notices = state.status === 'signed_in' ? (state.session.notices ?? 0) : 0
  const label = notices === 0 ? 'Notices' : `Notices, ${notices} new`
  return (
    <a
      href="/notices"
      title={label}
      aria-label={label}
      className="relative grid size-9 shrink-0 place-items-center rounded-md text-ink-soft transition-colors hover:bg-sunk hover:text-ink touch:size-11"
    >
      <Bell aria-hidden="true" className="size-4" />
      {notices === 0 ? null : (
        <span className="-right-0.5 -top-0.5 absolute min-w-4.5 rounded-full bg-accent px-1 text-center font-medium text-[0.6875rem] text-on-accent leading-4.5">
          {notices > 99 ? '99+' : notices}
        </span>
      )}
    </a>
  )
}

const LINKS = [
  { href: '/discover', label: 'Discover', look: '' },
  { href: '/worlds', label: 'Worlds', look: '' },
  { href: '/docs', label: 'Docs', look: '' },
  {
    href: '/studio',
    label: 'Studio',
    // Where a piece plays, its Play is the one filled button.
    look: 'border border-transparent bg-ink font-medium text-ground hover:bg-accent hover:text-on-accent! [body:has([data-live])_&]:border-edge [body:has([data-live])_&]:bg-transparent [body:has([data-live])_&]:text-ink',
  },
] as const

/** Links to the main pages. Plain anchors: pages are few and light. */
function NavLinks() {
  const path = usePathname()
  return (
    <ul className="flex items-center gap-x-1 max-sm:justify-between">
      {LINKS.map(({ href, label, look }) => (
        <li key={href}>
          <a
            href={href}
            aria-current={path === href || path.startsWith(`${href}/`) ? 'page' : undefined}
            className={`inline-flex min-h-9 items-center whitespace-nowrap rounded-md px-2 text-sm decoration-2 decoration-accent underline-offset-8 transition-colors hover:text-accent aria-[current]:underline touch:min-h-11 sm:px-3 ${look}`}
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}

function watch(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

/** Shown while the browser is offline. */
export function OfflineStatus() {
  const offline = useSyncExternalStore(
    watch,
    () => !navigator.onLine,
    () => false,
  )
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-over flex justify-center px-4"
    >
      {offline ? (
        <p className="rounded-lg border border-calm-line bg-calm px-4 py-2.5 text-sm shadow-lg">
          You are offline. This page stays as it is; links and searches work again with the connection.
        </p>
      ) : null}
    </div>
  )
}

const FOOTER_LINKS = [
  ['/worlds', 'Worlds'],
  ['/studio', 'Studio'],
  ['/discover', 'Discover'],
  ['/feed', 'Activity'],
  ['/docs', 'Docs'],
  ['/docs/lessons', 'Lessons'],
  ['/docs/api', 'API reference'],
  ['/chain/openapi.json', 'OpenAPI document'],
  ['/status', 'Status'],
] as const

/** The footer of every page; a client component for the same reason as the header. */
export function SiteFooter() {
  const { name, imprint, privacy, contact } = useSiteWords()
  const own = [
    [imprint, 'Imprint'],
    [privacy, 'Privacy'],
    [contact, 'Contact'],
  ] as const
  const links = own.flatMap(([href, label]) => (href === undefined ? [] : [[href, label] as const]))
  return (
    <>
      <p>{name}. Patterns of numbers, to hear and to see.</p>
      <ul className="flex flex-wrap gap-x-6 gap-y-2">
        {[...FOOTER_LINKS, ...links].map(([href, label]) => (
          <li key={href}>
            <a className={textLink} href={href}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
