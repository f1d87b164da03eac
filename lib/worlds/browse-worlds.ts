import type { Context } from '../context.ts'
import type { Hash } from '../domain/entity.ts'
import { bareHash } from '../domain/hash.ts'
import { type Permission, permissionSpellings } from '../domain/world-permissions.ts'
import type { SURFACES } from './bundle/manifest.ts'
import { containing, searchText } from './search-text.ts'
import { toWorld, type World, type WorldRow } from './world.ts'
import { worldColumns } from './world-columns.ts'

export const WORLD_ORDERS = ['changed', 'new', 'name'] as const
export type WorldOrder = (typeof WORLD_ORDERS)[number]

/** The World after which a page of a list begins: where the list puts it, and its id. */
export interface WorldPlace {
  /** Microseconds since 1970, or the name as it is ordered. */
  readonly key: string
  readonly id: string
}

export interface BrowseQuery {
  /** Found anywhere in name, slug and descriptions, in any letter case; '' finds all. */
  readonly search: string
  readonly surface: (typeof SURFACES)[number] | undefined
  /** Only Worlds that name this format in their manifest. */
  readonly format: Hash | undefined
  /** Only Worlds that ask for this permission, or for `nothing`. */
  readonly permission: Permission | 'nothing' | undefined
  readonly order: WorldOrder
  readonly after: WorldPlace | undefined
  readonly limit: number
}

/**
 * A page of the active Worlds. What is uploaded or replaced meanwhile moves no World of the pages to come.
 *
 * @returns `next`, where the following page begins; undefined at the end of the list.
 */
export async function browseWorlds(
  ctx: Pick<Context, 'db'>,
  query: BrowseQuery,
): Promise<{ readonly worlds: readonly World[]; readonly next: WorldPlace | undefined }> {
  const { sql } = ctx.db
  const { surface, format, permission, after, limit } = query
  const { key, descending, read } = {
    changed: { key: sql`updated_at`, descending: true, read: timeOf },
    new: { key: sql`created_at`, descending: true, read: timeOf },
    // The search text begins with the name, in one letter case.
    name: { key: sql`split_part(search_text, E'\n', 1) collate "C"`, descending: false, read: textOf },
  }[query.order]
  // Spelled out, not passed as a value: only so does the planner see that an index of one surface will do.
  const surfaces = {
    'world-page': sql`and surfaces @> '{world-page}'`,
    'studio-plugin': sql`and surfaces @> '{studio-plugin}'`,
    any: sql``,
  }[surface ?? 'any']
  const search = searchText([query.search])
  const rows = await sql<(WorldRow & { readonly place: string })[]>`
    select ${worldColumns(ctx.db)},
      ${descending ? sql`(extract(epoch from ${key}) * 1000000)::bigint::text` : key} as place
    from worlds
    where status = 'active'
      ${surfaces}
      ${search === '' ? sql`` : sql`and search_text like ${containing(search)}`}
      ${format === undefined ? sql`` : sql`and lower(manifest ->> 'acceptedFormatHashes') like ${containing(bareHash(format))}`}
      ${permission === undefined ? sql`` : permission === 'nothing' ? sql`and permissions = '{}'` : sql`and permissions && ${[...permissionSpellings(permission)]}::text[]`}
      ${after === undefined ? sql`` : beyond(after)}
    order by ${key} ${descending ? sql`desc` : sql`asc`}, id
    limit ${limit + 1}`
  const worlds = rows.slice(0, limit)
  const last = worlds.at(-1)
  return {
    worlds: worlds.map(toWorld),
    next: rows.length > limit && last !== undefined ? { key: last.place, id: last.id } : undefined,
  }

  function timeOf(place: string) {
    return sql`(timestamptz 'epoch' + ${place}::bigint * interval '1 microsecond')`
  }
  function textOf(place: string) {
    return sql`${place}`
  }
  /** The first comparison is for the index, the second for the ties. */
  function beyond({ key: place, id }: WorldPlace) {
    const there = read(place)
    return descending
      ? sql`and ${key} <= ${there} and (${key} < ${there} or id > ${id})`
      : sql`and ${key} >= ${there} and (${key} > ${there} or id > ${id})`
  }
}
