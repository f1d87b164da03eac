import type { Context } from '#lib/core/context/context.ts'
import {
  activeAccounts,
  type ListedEntity,
  type ListedFormat,
  mostUsedEntities,
  newestEntities,
  popularFormats,
} from '#lib/core/entities/published-lists.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { listWorlds } from '#lib/core/worlds/list-worlds.ts'
import type { World } from '#lib/core/worlds/world.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { bareHash, parseHash } from '#lib/protocol/hash.ts'
import { LISTED_KINDS, type ListedKind } from '#lib/protocol/listed-kind.ts'
import type { Piece } from '#lib/protocol/piece.ts'
import { pieceCounts } from './piece-counts.ts'
import { firstOf, pageHref, type QueryParams } from './query.ts'
import { type TitleOf, titlesOf } from './titles.ts'

/** Later pages are not offered. */
const LAST_PAGE = 99

/** The query of a list of the discover page. */
export interface DiscoverQuery {
  readonly kind: ListedKind
  /** Connectors of this format only. */
  readonly format: Hash | undefined
  /** Order of entities. */
  readonly sort: 'new' | 'used'
  /** Counted from zero. */
  readonly page: number
  /** As lines of text, in place of pictures. */
  readonly list: boolean
}

/** Parses the query of an address; ignores invalid values. Undefined where it names no list, which is the wall. */
export function readDiscoverQuery(params: QueryParams): DiscoverQuery | undefined {
  const first = (name: string): string => firstOf(params[name]) ?? ''
  const format = parseHash(first('format'))
  const kind = format === undefined ? LISTED_KINDS.find((each) => each === first('kind')) : 'connector'
  if (kind === undefined) return undefined
  return {
    kind,
    format,
    sort: first('sort') === 'used' ? 'used' : 'new',
    list: first('view') === 'list',
    page: /^\d{1,2}$/.test(first('page')) ? Math.min(Number(first('page')), LAST_PAGE) : 0,
  }
}

/** Address of a list of the discover page. */
export function discoverHref({ kind, format, sort, page, list }: Partial<DiscoverQuery>): string {
  return pageHref('/discover', {
    format: format && bareHash(format),
    kind: format === undefined && kind,
    sort: sort === 'used' && sort,
    view: list && 'list',
    page: page || undefined,
  })
}

const PAGE_ENTRIES = 30

/** One line of a list. */
export type Entry =
  | { readonly of: 'entity'; readonly entity: ListedEntity }
  | { readonly of: 'format'; readonly format: ListedFormat }
  | { readonly of: 'person'; readonly address: Address; readonly published: number }
  | { readonly of: 'world'; readonly world: World }

export interface DiscoverView {
  /** One page of one kind. */
  readonly entries: readonly Entry[]
  /** Whether another page follows. */
  readonly more: boolean
  /** Display names of the accounts in the entries. */
  readonly names: ReadonlyMap<Address, string>
  /** Likes and plays of the pieces in the entries. */
  readonly counts: Awaited<ReturnType<typeof pieceCounts>>
  readonly titleOf: TitleOf
  readonly nowMs: number
}

/** @throws What the database throws when it cannot be read. */
export async function discoverView(ctx: Context, query: DiscoverQuery): Promise<DiscoverView> {
  const nowMs = ctx.clock().getTime()
  const rows = await readPage(ctx, query)
  const entries = rows.slice(0, PAGE_ENTRIES)
  const more = rows.length > PAGE_ENTRIES && query.page < LAST_PAGE
  return { entries, more, ...(await about(ctx, entries)), nowMs }
}

async function about(
  ctx: Context,
  entries: readonly Entry[],
): Promise<Pick<DiscoverView, 'names' | 'counts' | 'titleOf'>> {
  const pieces = entries.flatMap(pieceOf)
  const [names, counts, titleOf] = await Promise.all([
    namesOf(ctx, entries.flatMap(accountsOf)),
    pieceCounts(ctx, pieces),
    titlesOf(ctx, pieces),
  ])
  return { names, counts, titleOf }
}

/** One entry more than a page shows, to see whether another follows. */
async function readPage(ctx: Context, query: DiscoverQuery): Promise<readonly Entry[]> {
  const { kind, format: formatHash, sort, page } = query
  const range = { limit: PAGE_ENTRIES + 1, offset: page * PAGE_ENTRIES }
  if (kind === 'format') {
    return (await popularFormats(ctx, range)).map((format) => ({ of: 'format', format }))
  }
  if (kind === 'person') {
    return (await activeAccounts(ctx, range)).map((account) => ({ of: 'person', ...account }))
  }
  if (kind === 'world') {
    // This list takes page numbers, not offsets.
    const [worlds, next] = await Promise.all([
      listWorlds(ctx, { page, limit: PAGE_ENTRIES }),
      listWorlds(ctx, { page: range.offset + PAGE_ENTRIES, limit: 1 }),
    ])
    return [...worlds, ...next].map((world) => ({ of: 'world', world }))
  }
  const list = sort === 'used' ? mostUsedEntities : newestEntities
  const entities = await list(ctx, { kind, formatHash, ...range })
  return entities.map((entity) => ({ of: 'entity', entity }))
}

function accountsOf(entry: Entry): Address[] {
  if (entry.of === 'entity') return [entry.entity.owner]
  if (entry.of === 'person') return [entry.address]
  return entry.of === 'world' ? [entry.world.owner] : []
}

function pieceOf(entry: Entry): Piece[] {
  if (entry.of === 'entity') return [entry.entity]
  return entry.of === 'world' ? [{ kind: 'world', name: entry.world.id }] : []
}
