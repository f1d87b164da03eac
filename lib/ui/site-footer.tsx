'use client'

import { textLink } from './link-style.ts'

const LINKS = [
  ['/worlds', 'Worlds'],
  ['/discover', 'Discover'],
  ['/feed', 'Feed'],
  ['/status', 'Status'],
  ['/docs', 'Docs'],
  ['/docs/lessons', 'Lessons'],
  ['/docs/api', 'API reference'],
  ['/chain/openapi.json', 'OpenAPI document'],
] as const

/** What stands in the footer of every page; a client component for the same reason as the header. */
export function SiteFooter() {
  return (
    <>
      <p>Weft. Small functions, woven on chain.</p>
      <ul className="flex flex-wrap gap-x-6 gap-y-2">
        {LINKS.map(([href, label]) => (
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
