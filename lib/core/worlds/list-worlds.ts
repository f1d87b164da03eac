import type postgres from 'postgres'
import type { SURFACES } from '#lib/compute/bundle/manifest.ts'
import type { Context } from '#lib/core/context/context.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { bareHash } from '#lib/protocol/hash.ts'
import { type Permission, permissionSpellings } from '#lib/protocol/world-manifest.ts'
import { toWorld, type World, type WorldRow, worldColumns } from './world.ts'

export interface WorldsQuery {
  /** Counted from zero. */
  readonly page: number
  readonly limit: number
  readonly surface?: (typeof SURFACES)[number] | undefined
  /** Substring of name, slug or descriptions, case-insensitive; '' matches all. */
  readonly search?: string | undefined
  /** Only this account's. */
  readonly owner?: Address | undefined
}

/** Active Worlds, the one changed last first. */
export async function listWorlds(ctx: Pick<Context, 'db'>, query: WorldsQuery): Promise<readonly World[]> {
  const { sql } = ctx.db
  const search = searchText([query.search ?? ''])
  const rows = await sql<WorldRow[]>`
    select ${worldColumns(ctx.db)} from worlds
    where status = 'active' ${ofSurface(sql, query.surface)} ${query.owner === undefined ? sql`` : sql`and owner = ${query.owner}`}
      ${search === '' ? sql`` : sql`and search_text like ${containing(search)}`}
    order by updated_at desc, id
    limit ${query.limit} offset ${query.page * query.limit}`
  return rows.map(toWorld)
}

/** Literals, not parameters, so that the planner can use the partial index of a surface. */
function ofSurface(sql: Context['db']['sql'], surface: WorldsQuery['surface']) {
  if (surface === undefined) return sql``
  return surface === 'world-page'
    ? sql`and surfaces @> '{world-page}'`
    : sql`and surfaces @> '{studio-plugin}'`
}

export const WORLD_ORDERS = ['changed', 'new', 'name'] as const
export type WorldOrder = (typeof WORLD_ORDERS)[number]

/** Cursor: the sort key and the id of the last World of a page, or of those before a window of Worlds in turn. */
export interface WorldPlace {
  /** Microseconds since 1970, or the name as sorted. */
  readonly key: string
  readonly id: string
  /** Worlds of the window that are on pages before. */
  readonly skip?: number | undefined
}

export interface BrowseQuery {
  /** Substring of name, slug or descriptions, case-insensitive; '' matches all. */
  readonly search: string
  readonly surface: (typeof SURFACES)[number] | undefined
  /** Only Worlds that name this format in their manifest. */
  readonly format: Hash | undefined
  /** Only Worlds that request this permission, or with `nothing` those that request none. */
  readonly permission: Permission | 'nothing' | undefined
  readonly order: WorldOrder
  /** Slugs that come first in the order of changes, at most as many as a page has; other names are ignored. */
  readonly featured?: readonly string[] | undefined
  readonly after: WorldPlace | undefined
  readonly limit: number
}

/** Worlds that are put in turn together: more than one account may have. */
const WINDOW = 240
/** Before every id. */
const NO_ID = '-'

/**
 * A page of the active Worlds. In the order of changes, those that the operator chose come first, then one of each account
 * in turn, so that no account fills a page that others could fill; in the others, uploads between two pages move no World
 * of the next.
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
  const search = searchText([query.search])
  const placed = descending ? sql`(extract(epoch from ${key}) * 1000000)::bigint::text` : key
  const filter = sql`
    status = 'active'
      ${ofSurface(sql, surface)}
      ${search === '' ? sql`` : sql`and search_text like ${containing(search)}`}
      ${format === undefined ? sql`` : sql`and lower(manifest ->> 'acceptedFormatHashes') like ${containing(bareHash(format))}`}
      ${permission === undefined ? sql`` : permission === 'nothing' ? sql`and permissions = '{}'` : sql`and permissions && ${[...permissionSpellings(permission)]}::text[]`}
      ${after === undefined ? sql`` : beyond(after)}`
  if (query.order === 'changed') {
    const featured = [...(query.featured ?? [])]
    if (featured.length === 0) return pageInTurn(ctx, { filter, placed, after, limit })
    const others = sql`${filter} and slug <> all(${featured}::text[])`
    const first =
      after === undefined
        ? await sql<WorldRow[]>`
            select ${worldColumns(ctx.db)} from worlds where ${filter} and slug = any(${featured}::text[])
            order by array_position(${featured}::text[], slug::text) limit ${limit}`
        : []
    const room = limit - first.length
    const { worlds, next } = await pageInTurn(ctx, { filter: others, placed, after, limit: room })
    return { worlds: [...first.map(toWorld), ...worlds], next }
  }
  const rows = await sql<(WorldRow & { readonly place: string })[]>`
    select ${worldColumns(ctx.db)}, ${placed} as place from worlds where ${filter}
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

/**
 * A page of a window of Worlds: those that follow `after` in the order of changes.
 *
 * @param input.limit With 0 the page is empty, and `next` is where the first one begins.
 */
async function pageInTurn(
  { db }: Pick<Context, 'db'>,
  {
    filter,
    placed,
    after,
    limit,
  }: Pick<BrowseQuery, 'after' | 'limit'> &
    Record<'filter' | 'placed', postgres.PendingQuery<postgres.Row[]>>,
): Promise<{ readonly worlds: readonly World[]; readonly next: WorldPlace | undefined }> {
  const skip = after?.skip ?? 0
  const rows = await db.sql<(WorldRow & WindowRow)[]>`
    with newest as materialized (
      select *, ${placed} as place from worlds where ${filter} order by updated_at desc, id limit ${WINDOW}
    )
    select ${worldColumns(db)}, (select count(*)::int from newest) as total,
      (select place from newest order by updated_at desc limit 1) as top,
      (select array[place, id] from newest order by updated_at, id desc limit 1) as end
    from (
      select *, row_number() over (partition by owner order by updated_at desc, id) as turn from newest
    ) worlds
    order by turn, updated_at desc, id limit ${Math.max(1, limit)} offset ${skip}`
  const [first] = rows
  if (first === undefined) return { worlds: [], next: undefined }
  const { key, id } = after ?? { key: first.top, id: NO_ID }
  const page = rows.slice(0, limit)
  const endOffset = skip + page.length
  const [endKey, endId] = first.end
  const next =
    endOffset < first.total
      ? { key, id, skip: endOffset }
      : first.total === WINDOW
        ? { key: endKey, id: endId }
        : undefined
  return { worlds: page.map(toWorld), next }
}

interface WindowRow {
  readonly total: number
  readonly top: string
  readonly end: readonly [key: string, id: string]
}

/**
 * Active Worlds for pages that have a picture: those that the operator chose, then the oldest. Later uploads do not
 * change the list, so that uploading does not put a World onto the home page.
 *
 * @param input.featured Slugs.
 */
export async function firstWorlds(
  { db }: Pick<Context, 'db'>,
  { featured = [], limit }: { readonly featured?: readonly string[]; readonly limit: number },
): Promise<readonly World[]> {
  const { sql } = db
  const condition = sql`status = 'active' and surfaces @> '{world-page}' and manifest ? 'preview'`
  const slugs = [...featured]
  const [first, oldest] = await Promise.all([
    slugs.length === 0
      ? []
      : sql<WorldRow[]>`
        select ${worldColumns(db)} from worlds where slug = any(${slugs}::text[]) and ${condition}
        order by array_position(${slugs}::text[], slug::text) limit ${limit}`,
    sql<WorldRow[]>`
      select ${worldColumns(db)} from worlds where ${condition} and slug <> all(${slugs}::text[])
      order by created_at, id limit ${limit}`,
  ])
  return [...first, ...oldest].slice(0, limit).map(toWorld)
}

export interface WorldFormat {
  readonly formatHash: Hash
  /** Worlds that name it. */
  readonly worlds: number
  /** Labels of its values; empty while no connector of the format is known. */
  readonly scalars: readonly string[]
}

/** Newest Worlds that are read, which bounds the cost in a gallery of any size. */
const WORLDS_READ = 1000

/** Formats that Worlds name in their manifests, the most frequent first. */
export async function worldFormats(
  { db }: Pick<Context, 'db'>,
  { limit }: { readonly limit: number },
): Promise<readonly WorldFormat[]> {
  return db.sql<WorldFormat[]>`
    with named as (
      select distinct w.id, '0x' || regexp_replace(lower(hash), '^0x', '') as hash
      from (select id, manifest from worlds where status = 'active' order by updated_at desc, id limit ${WORLDS_READ}) w,
        jsonb_array_elements_text(coalesce(w.manifest -> 'acceptedFormatHashes', '[]')) hash
    ), counted as (
      select hash, count(*)::int as worlds from named group by hash order by worlds desc, hash limit ${limit}
    )
    select c.hash as "formatHash", c.worlds, coalesce(f.scalars, '[]') as scalars
    from counted c left join formats f on f.format_hash = c.hash
    order by c.worlds desc, c.hash`
}

/** Normalised text for the gallery's search: independent of letter case and of the composition of accents. */
export function searchText(texts: readonly (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined)
    .join('\n')
    .normalize('NFC')
    .toLowerCase()
}

/** Pattern of `like` for a substring, which an index can serve, unlike `strpos`. */
function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
