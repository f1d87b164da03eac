import { ENTITY_KINDS, type EntityKind } from '#lib/protocol/entity.ts'
import { isEntityName } from '#lib/protocol/names.ts'

const ACTIONS = ['open', 'fork', 'change'] as const

/** A deep link into the studio. */
export interface DeepLink {
  /**
   * `open` leads to one's remix of what is published, and to one's own as it is; `fork` always begins another remix;
   * `change` leads to how one's own piece is shown.
   */
  readonly action: (typeof ACTIONS)[number]
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
 * Parses the query of the studio's URL; undefined without a valid link. A name without a kind is a connector's. The
 * original network spells a link that opens `?network_kind=connector&network_id=weave`.
 */
export function readDeepLink(search: string): DeepLink | undefined {
  const query = plainQuery(search)
  for (const action of ACTIONS) {
    const value = query.get(action)
    if (value === null) continue
    const slash = value.indexOf('/')
    const link = linkTo(action, slash === -1 ? 'connector' : value.slice(0, slash), value.slice(slash + 1))
    if (link !== undefined) return link
  }
  return linkTo('open', query.get('network_kind') ?? 'connector', query.get('network_id') ?? '')
}

function linkTo(action: DeepLink['action'], kindText: string, text: string): DeepLink | undefined {
  // What a sentence puts behind a link is no part of it.
  const name = text.replace(/\W+$/, '')
  const kind = ENTITY_KINDS.find((each) => each === kindText)
  return kind !== undefined && isEntityName(name) ? { action, kind, name } : undefined
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
  for (const name of [...ACTIONS, 'network_kind', 'network_id']) url.searchParams.delete(name)
  return `${url.pathname}${url.search}${url.hash}`
}
