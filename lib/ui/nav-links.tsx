'use client'

import { usePathname } from 'next/navigation'

const LINKS = [
  { href: '/worlds', label: 'Worlds' },
  { href: '/studio', label: 'Studio' },
  { href: '/discover', label: 'Discover' },
  { href: '/feed', label: 'Feed' },
  { href: '/status', label: 'Status' },
  { href: '/docs', label: 'Docs' },
] as const

/** The main pages, the one being read marked. Plain anchors: pages are few and light. */
export function NavLinks() {
  const path = usePathname()
  return (
    <ul className="flex items-center max-sm:justify-between">
      {LINKS.map(({ href, label }) => (
        <li key={href}>
          <a
            href={href}
            aria-current={path === href || path.startsWith(`${href}/`) ? 'page' : undefined}
            className="inline-block whitespace-nowrap rounded-md px-1.5 py-2.5 text-sm decoration-2 decoration-accent underline-offset-8 transition-colors hover:text-accent aria-[current]:underline sm:px-3"
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}
