import type { Context } from '#lib/core/context/context.ts'
import { newestInTurn } from '#lib/core/entities/first-shown.ts'
import {
  activeAccounts,
  type ListedEntity,
  type ListedFormat,
  mostUsedEntities,
  newestEntities,
  popularFormats,
} from '#lib/core/entities/published-lists.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { listWorlds, worldsInTurn } from '#lib/core/worlds/list-worlds.ts'
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

/** The query of the discover page. */
export interface DiscoverQuery {
  /** Undefined for the overview. */
  readonly kind: ListedKind | undefined
  /** Connectors of this format only. */
  readonly format: Hash | undefined
  /** Of entities. */
  readonly sort: 'new' | 'used'
  /** Counted from zero. */
  readonly page: number
  /** As lines of text, in place of pictures. */
  readonly list: boolean
}

/** Parses the query of an address; ignores invalid values. */
export function readDiscoverQuery(params: QueryParams): DiscoverQuery {
  const first = (name: string): string => firstOf(params[name]) ?? ''
  const format = parseHash(first('format'))
  return {
    kind: format === undefined ? LISTED_KINDS.find((kind) => kind === first('kind')) : 'connector',
    format,
    sort: first('sort') === 'used' ? 'used' : 'new',
    list: first('view') === 'list',
    page: /^\d{1,2}$/.test(first('page')) ? Math.min(Number(first('page')), LAST_PAGE) : 0,
  }
}

/** Address of the discover page for a query. */
export function discoverHref({ kind, format, sort, page, list }: Partial<DiscoverQuery>): string {
  return pageHref('/discover', {
    format: format && bareHash(format),
    kind: format === undefined && kind,
    sort: sort === 'used' && sort,
    view: list && 'list',
    page: page || undefined,
  })
}

const FEW = 8
const PAGE_ENTRIES = 30

/** One line of a list. */
export type Entry =
  | { readonly of: 'entity'; readonly entity: ListedEntity; readonly createdAtMs?: number }
  | { readonly of: 'format'; readonly format: ListedFormat }
  | { readonly of: 'person'; readonly address: Address; readonly published: number }
  | { readonly of: 'world'; readonly world: World }

export interface DiscoverView {
  /** A few entries of each kind; undefined when the query names a kind. */
  readonly overview:
    | Readonly<Record<'newest' | 'used' | 'formats' | 'people' | 'worlds', readonly Entry[]>>
    | undefined
  /** One page of one kind; empty without a kind. */
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
  if (query.kind === undefined) {
    const overview = await readOverview(ctx)
    return {
      overview,
      entries: [],
      more: false,
      ...(await about(ctx, Object.values(overview).flat())),
      nowMs,
    }
  }
  const found = await readPage(ctx, query)
  const entries = found.slice(0, PAGE_ENTRIES)
  const more = found.length > PAGE_ENTRIES && query.page < LAST_PAGE
  return { overview: undefined, entries, more, ...(await about(ctx, entries)), nowMs }
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

async function readOverview(ctx: Context): Promise<NonNullable<DiscoverView['overview']>> {
  const [newest, used, formats, accounts, worlds] = await Promise.all([
    newestInTurn(ctx, FEW),
    mostUsedEntities(ctx, { limit: FEW }),
    popularFormats(ctx, { limit: FEW }),
    activeAccounts(ctx, { limit: FEW }),
    worldsInTurn(ctx, { limit: FEW }),
  ])
  return {
    newest: newest.map(({ kind, name, owner, createdAtMs }) => ({
      of: 'entity',
      entity: { kind, name, owner, usedBy: 0 },
      ...(createdAtMs !== undefined && { createdAtMs }),
    })),
    used: used.map((entity) => ({ of: 'entity', entity })),
    formats: formats.map((format) => ({ of: 'format', format })),
    people: accounts.map((account) => ({ of: 'person', ...account })),
    worlds: worlds.map((world) => ({ of: 'world', world })),
  }
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
  const entities = await list(ctx, { kind: kind ?? 'connector', formatHash, ...range })
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
