import { SURFACES } from '#lib/compute/bundle/manifest.ts'
import {
  type BrowseQuery,
  WORLD_ORDERS,
  type WorldOrder,
  type WorldPlace,
} from '#lib/core/worlds/list-worlds.ts'
import { bareHash, parseHash } from '#lib/protocol/hash.ts'
import { canonicalPermission } from '#lib/protocol/world-manifest.ts'
import { firstOf, pageHref, type QueryParams } from './query.ts'

/** Maximum length of a search. */
const MAX_SEARCH = 128

/** The query of the gallery. */
export type GalleryQuery = Omit<BrowseQuery, 'limit'>

/** Parses the query of an address; ignores invalid values. */
export function readGalleryQuery(params: QueryParams): GalleryQuery {
  const first = (name: string): string => firstOf(params[name]) ?? ''
  const permission = first('permission')
  const order = WORLD_ORDERS.find((order) => order === first('sort')) ?? 'changed'
  return {
    // The database takes no NUL.
    search: first('q').replaceAll('\0', '').trim().slice(0, MAX_SEARCH).toWellFormed(),
    surface: SURFACES.find((surface) => surface === first('surface')),
    format: parseHash(first('format')),
    permission: permission === 'nothing' ? 'nothing' : canonicalPermission(permission),
    order,
    after: readPlace(first('after'), order),
  }
}

/** Query of the gallery's address, '' or with its question mark. */
export function galleryParams(query: Partial<GalleryQuery>): string {
  const { search, surface, format, permission, order, after } = query
  return pageHref('', {
    q: search,
    surface,
    format: format && bareHash(format),
    permission,
    sort: order !== 'changed' && order,
    after: after && writePlace(after),
  })
}

/** Address of the gallery for a query. */
export function galleryHref(query: Partial<GalleryQuery>): string {
  return `/worlds${galleryParams(query)}`
}

/** Whether anything narrows the list. */
export function isNarrowed({ search, surface, format, permission }: GalleryQuery): boolean {
  return search !== '' || [surface, format, permission].some((choice) => choice !== undefined)
}

function writePlace({ key, id, skip }: WorldPlace): string {
  return skip === undefined ? `${id}.${key}` : `${id}.${key}.${skip}`
}

/** Ids have no dot of their own. */
function readPlace(text: string, order: WorldOrder): WorldPlace | undefined {
  const [, id, key] = /^([\w-]{1,64})\.([^\0]{1,400})$/u.exec(text) ?? []
  if (id === undefined || key === undefined || !key.isWellFormed()) return undefined
  if (order === 'name') return { key, id }
  const [, time, skip] = /^(\d{1,16})(?:\.(\d{1,4}))?$/.exec(key) ?? []
  if (time === undefined) return undefined
  return { key: time, id, ...(skip !== undefined && { skip: Number(skip) }) }
}
