import { ENTITY_KINDS, type EntityKind } from '#lib/protocol/entity.ts'
import { isEntityName } from '#lib/protocol/names.ts'

/** A deep link into the studio. */
export interface DeepLink {
  /** `open` leads to one's remix of what is published, and to one's own as it is; `fork` always begins another remix. */
  readonly action: 'open' | 'fork'
  readonly kind: EntityKind
  readonly name: string
}

/**
 * Address of the studio that opens something published, or begins another remix of it.
 *
 * @example studioHref('open', 'connector', 'weave') // '/studio?open=connector/weave'
 */
export function studioHref(action: DeepLink['action'], kind: EntityKind, name: string): string {
  return `/studio?${action}=${kind}/${encodeURIComponent(name)}`
}

/**
 * Parses the query of the studio's URL; undefined without a valid link. A name without a kind is a connector's.
 */
export function readDeepLink(search: string): DeepLink | undefined {
  const query = plainQuery(search)
  for (const action of ['open', 'fork'] as const) {
    const wanted = query.get(action)
    if (wanted === null) continue
    const slash = wanted.indexOf('/')
    // What a sentence puts behind a link is no part of it.
    const name = wanted.slice(slash + 1).replace(/\W+$/, '')
    const kind = ENTITY_KINDS.find((each) => each === (slash === -1 ? 'connector' : wanted.slice(0, slash)))
    if (kind !== undefined && isEntityName(name)) return { action, kind, name }
  }
  return undefined
}

/** A query that a messenger has escaped as a whole is unescaped; marks that nobody sees are left out. */
function plainQuery(search: string): URLSearchParams {
  let text = search.replace(/%E2%80%8[B-F]|%EF%BB%BF|%C2%AD|[\p{Cf}]/giu, '')
  try {
    if (!text.includes('=') && text.includes('%')) text = decodeURIComponent(text)
  } catch {
    // Not escaped, then.
  }
  return new URLSearchParams(text)
}

/** The URL without its deep link, so that a reload does not follow it again. */
export function withoutDeepLink(href: string): string {
  const url = new URL(href)
  url.search = plainQuery(url.search).toString()
  url.searchParams.delete('open')
  url.searchParams.delete('fork')
  return `${url.pathname}${url.search}${url.hash}`
}
