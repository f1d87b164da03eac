import type { Context } from '../context.ts'
import type { Address } from '../domain/entity.ts'
import { listFeedItems } from '../feed/list-items.ts'
import { activeAccounts } from '../registry/active-accounts.ts'
import { mostUsedEntities } from '../registry/most-used-entities.ts'
import { type ListedEntity, newestEntities } from '../registry/newest-entities.ts'
import { type ListedFormat, popularFormats } from '../registry/popular-formats.ts'
import { namesOf } from '../social/names-of.ts'
import { listWorlds } from '../worlds/list-worlds.ts'
import type { World } from '../worlds/world.ts'
import { type DiscoverQuery, isLastPage } from './discover-query.ts'

const FEW = 8
const PAGE_ENTRIES = 30

/** One line of a list. */
export type Entry =
  | { readonly of: 'entity'; readonly entity: ListedEntity; readonly createdAtMs?: number }
  | { readonly of: 'format'; readonly format: ListedFormat }
  | { readonly of: 'person'; readonly address: Address; readonly published: number }
  | { readonly of: 'world'; readonly world: World }

export interface DiscoverView {
  /** A little of everything; undefined where one kind is asked for. */
  readonly overview:
    | Readonly<Record<'newest' | 'used' | 'formats' | 'people' | 'worlds', readonly Entry[]>>
    | undefined
  /** One page of one kind; empty without a kind. */
  readonly entries: readonly Entry[]
  /** Whether another page follows. */
  readonly more: boolean
  /** What the owners and people of the entries call themselves. */
  readonly names: ReadonlyMap<Address, string>
  readonly nowMs: number
}

/** @throws What the database throws when it cannot be read. */
export async function discoverView(ctx: Context, query: DiscoverQuery): Promise<DiscoverView> {
  const nowMs = ctx.clock().getTime()
  if (query.kind === undefined) {
    const overview = await readOverview(ctx)
    const names = await namesOf(ctx, Object.values(overview).flat().flatMap(accountsOf))
    return { overview, entries: [], more: false, names, nowMs }
  }
  const found = await readPage(ctx, query)
  const entries = found.slice(0, PAGE_ENTRIES)
  const names = await namesOf(ctx, entries.flatMap(accountsOf))
  const more = found.length > PAGE_ENTRIES && !isLastPage(query.page)
  return { overview: undefined, entries, more, names, nowMs }
}

async function readOverview(ctx: Context): Promise<NonNullable<DiscoverView['overview']>> {
  const [feed, used, formats, accounts, worlds] = await Promise.all([
    listFeedItems(ctx, { limit: FEW }),
    mostUsedEntities(ctx, { limit: FEW }),
    popularFormats(ctx, { limit: FEW }),
    activeAccounts(ctx, { limit: FEW }),
    listWorlds(ctx, { page: 0, limit: FEW }),
  ])
  return {
    newest: feed.items.map(({ kind, name, owner, createdAtMs }) => ({
      of: 'entity',
      entity: { kind, name, owner, usedBy: 0 },
      createdAtMs,
    })),
    used: used.map((entity) => ({ of: 'entity', entity })),
    formats: formats.map((format) => ({ of: 'format', format })),
    people: accounts.map((account) => ({ of: 'person', ...account })),
    worlds: worlds.map((world) => ({ of: 'world', world })),
  }
}

/** One entry more than a page has, where there is one. */
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
    // Pages of this list are counted, not offset; what follows is seen by asking for it.
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
