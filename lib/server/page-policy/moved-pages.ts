import { parseAddress } from '#lib/protocol/address.ts'
import { parseHash } from '#lib/protocol/hash.ts'
import { isEntityName } from '#lib/protocol/names.ts'

/*
 * Addresses of pages of the original network, to which its documents and saved links lead, with those of ours.
 */

const PAGES: ReadonlyMap<string, string> = new Map([
  ['/about', '/docs/concepts'],
  ['/tutorial', '/docs/tutorial'],
  ['/sdk', '/docs/client'],
  ['/api-reference', '/docs/api'],
  ['/map', '/network'],
  ['/gallery', '/worlds'],
])

/** Pages of one thing, by the part of the path before it. What follows has to be the name of such a thing, whole. */
const PAGES_OF: readonly (readonly [before: string, page: string, isName: (text: string) => boolean])[] = [
  ['/c/', '/connectors/', isEntityName],
  ['/f/', '/formats/', (text) => parseHash(text) !== undefined],
  ['/u/', '/users/', (text) => parseAddress(text) !== undefined],
]

/**
 * Returns the path of the page that took the place of one of the original network; undefined for any other path. It is
 * always one of this site: of the path nothing is taken over but a name of letters, digits and `_`.
 *
 * @param path Without the query, as it was sent.
 */
export function movedPage(path: string): string | undefined {
  const page = PAGES.get(path)
  if (page !== undefined) return page
  for (const [before, after, isName] of PAGES_OF) {
    const rest = path.slice(before.length)
    if (path.startsWith(before) && isName(rest)) return after + rest
  }
  return undefined
}
