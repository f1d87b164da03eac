import type { Context } from '#lib/core/context/context.ts'
import { accountOfFeedKey, feedKeyOf, listNotices, type Notice } from '#lib/core/people/notices.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { getWorld } from '#lib/core/worlds/get-world.ts'
import type { World } from '#lib/core/worlds/world.ts'
import { type FollowedItem, followedFeed } from '#lib/features/social/followed-feed.ts'
import { countsOf, type Piece, type PieceCounts, savedPieces } from '#lib/features/social/marks.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'
import { undefinedOn } from './expected-failures.ts'
import { type AtomEntry, atomDocument } from './xml-documents.ts'

/* What the pages of a signed-in account show of others: those it follows, its notices, its library. */

const PAGE_ITEMS = 30
const PAGE_NOTICES = 100
const PAGE_SAVED = 200
const ENTRIES = 50
const CURSOR = /^\d{15}-\d{8}-\d{8}$/

/** Addresses of an account's Atom feeds; undefined while it has none. */
export interface FeedAddresses {
  readonly followed: string
  readonly notices: string
}

export interface FollowedView {
  readonly items: readonly FollowedItem[]
  /** Cursor of the following page. */
  readonly nextBefore: string | undefined
  readonly names: ReadonlyMap<Address, string>
  readonly feeds: FeedAddresses | undefined
  readonly nowMs: number
}

/** @param before Cursor of the page; an invalid one is ignored. @throws What the database throws. */
export async function followedView(
  ctx: Context,
  account: Address,
  before: string | undefined,
): Promise<FollowedView> {
  const start = before !== undefined && CURSOR.test(before) ? before : undefined
  const [found, feeds] = await Promise.all([
    followedFeed(ctx, { account, limit: PAGE_ITEMS + 1, before: start }),
    feedAddresses(ctx, account),
  ])
  const items = found.slice(0, PAGE_ITEMS)
  const names = await namesOf(
    ctx,
    items.map(({ owner }) => owner),
  )
  const nextBefore = found.length > PAGE_ITEMS ? items.at(-1)?.historyCursor : undefined
  return { items, nextBefore, names, feeds, nowMs: ctx.clock().getTime() }
}

export interface NoticesView {
  readonly notices: readonly Notice[]
  readonly names: ReadonlyMap<Address, string>
  readonly feeds: FeedAddresses | undefined
  readonly nowMs: number
}

/** @throws What the database throws when it cannot be read. */
export async function noticesView(ctx: Context, account: Address): Promise<NoticesView> {
  const [notices, feeds] = await Promise.all([
    listNotices(ctx, { account, limit: PAGE_NOTICES }),
    feedAddresses(ctx, account),
  ])
  const names = await namesOf(
    ctx,
    notices.map(({ actor }) => actor),
  )
  return { notices, names, feeds, nowMs: ctx.clock().getTime() }
}

async function feedAddresses(ctx: Context, account: Address): Promise<FeedAddresses | undefined> {
  const key = await feedKeyOf(ctx, account)
  if (key === undefined) return undefined
  const base = `${ctx.config.siteOrigin}/own-feeds/${key}`
  return { followed: `${base}/followed.xml`, notices: `${base}/notices.xml` }
}

export interface LibraryView {
  readonly pieces: readonly (
    | { readonly of: 'entity'; readonly piece: Piece; readonly kind: EntityKind; readonly owner: Address }
    | { readonly of: 'world'; readonly piece: Piece; readonly world: World }
  )[]
  readonly counts: (piece: Piece) => PieceCounts
  readonly names: ReadonlyMap<Address, string>
}

/** What an account saved, the one saved last first. @throws What the database throws when it cannot be read. */
export async function libraryView(ctx: Context, account: Address): Promise<LibraryView> {
  const saved = await savedPieces(ctx, { account, limit: PAGE_SAVED })
  const [owners, worlds, counts] = await Promise.all([
    ctx.db.sql<{ kind: EntityKind; name: string; owner: Address }[]>`
      select e.kind, e.name, e.owner
      from unnest(${saved.map(({ kind }) => kind)}::text[], ${saved.map(({ name }) => name)}::text[]) listed(kind, name)
      join entities e on e.kind = listed.kind and e.name = listed.name`,
    Promise.all(
      saved
        .filter(({ kind }) => kind === 'world')
        .map(({ name }) => getWorld(ctx, name).catch(undefinedOn('not_found'))),
    ),
    countsOf(ctx, saved),
  ])
  const pieces = saved.flatMap((piece): LibraryView['pieces'][number][] => {
    if (piece.kind === 'world') {
      const world = worlds.find((each) => each?.id === piece.name)
      return world === undefined ? [] : [{ of: 'world', piece, world }]
    }
    const row = owners.find(({ kind, name }) => kind === piece.kind && name === piece.name)
    return row === undefined ? [] : [{ of: 'entity', piece, kind: row.kind, owner: row.owner }]
  })
  const names = await namesOf(
    ctx,
    pieces.map((each) => (each.of === 'world' ? each.world.owner : each.owner)),
  )
  return { pieces, counts, names }
}

const VERBS = { built: 'builds on', remixed: 'is a remix of', followed: '' } as const

/**
 * An Atom feed of the account whose secret address this is; undefined for an address that ended.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function ownAtomFeed(
  ctx: Context,
  key: string,
  of: keyof FeedAddresses,
): Promise<string | undefined> {
  const account = await accountOfFeedKey(ctx, key)
  if (account === undefined) return undefined
  const { siteOrigin: origin, site } = ctx.config
  const pageOf = ({ kind, name }: { kind: string; name: string }) =>
    `${origin}/${kind}s/${encodeURIComponent(name)}`
  const self = `${origin}/own-feeds/${key}/${of}.xml`
  if (of === 'followed') {
    const items = await followedFeed(ctx, { account, limit: ENTRIES, before: undefined })
    const entries = items.map(
      (item): AtomEntry => ({
        id: `urn:weft:${item.feedId}`,
        title: `${item.name}, ${item.kind}`,
        page: pageOf(item),
        author: item.owner,
        atMs: item.createdAtMs,
        summary: `The ${item.kind} ${item.name} was published in block ${item.blockNumber} by ${item.owner}.`,
      }),
    )
    return atomDocument({
      origin,
      self,
      title: `${site.name}: from people you follow`,
      subtitle: 'What accounts and formats that you follow publish.',
      page: `${origin}/following`,
      entries,
    })
  }
  const notices = await listNotices(ctx, { account, limit: ENTRIES })
  const entries = notices.map(({ what, actor, of: mine, by, createdAtMs }): AtomEntry => {
    const title =
      by === undefined || mine === undefined
        ? `${actor} follows you`
        : `${by.title ?? by.name} by ${actor} ${VERBS[what]} ${mine.title ?? mine.name}`
    return {
      id: `urn:weft:notice:${[what, actor, mine?.kind, mine?.name, by?.kind, by?.name].filter(Boolean).join(':')}`,
      title,
      page: by === undefined ? `${origin}/users/${actor}` : pageOf(by),
      author: actor,
      atMs: createdAtMs,
      summary: title,
    }
  })
  return atomDocument({
    origin,
    self,
    title: `${site.name}: notices`,
    subtitle: 'What others do with your work.',
    page: `${origin}/notices`,
    entries,
  })
}
