'use client'

import { measure } from '#lib/ui/components/measure.ts'
import { titleLook } from '#lib/ui/components/page-head.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { SearchForm } from './search-parts.ts'

const WAYS = [
  ['/', 'The first page', ', with a piece to play and how it works'],
  ['/worlds', 'Worlds', ', to see and hear what the numbers are for'],
  ['/discover', 'Discover', ', for pieces to look at, to listen to and to remix'],
  ['/studio', 'The studio', ', to make something of your own'],
  [
    '/docs',
    'Docs',
    ', with every word explained; if you came from a script: the chain API lives below /chain',
  ],
] as const

/** The 404 page. A client component: as a server one, every page's payload would carry it twice. */
export function NotFoundView() {
  return (
    <div className={`${measure} pt-16`}>
      <h1 className={titleLook.words}>Nothing here</h1>
      <p className="mt-6 max-w-prose text-lg">
        There is no page at this address. It may have been mistyped, or it names something that is not here
        yet. Search finds names also when they are misspelled.
      </p>
      <SearchForm text="" />
      <ul className="mt-10 space-y-3">
        {WAYS.map(([href, name, what]) => (
          <li key={href}>
            <a className={textLink} href={href}>
              {name}
            </a>
            {what}
          </li>
        ))}
      </ul>
    </div>
  )
}
