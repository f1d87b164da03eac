import type { Context } from '#lib/core/context/context.ts'
import { listNotices, type Notice } from '#lib/core/people/notices.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { getWorld } from '#lib/core/worlds/get-world.ts'
import type { World } from '#lib/core/worlds/world.ts'
import { type FollowedItem, followedFeed, savedPieces } from '#lib/features/social/index.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'
import type { Piece } from '#lib/protocol/piece.ts'
import { undefinedOn } from './expected-failures.ts'
import { type PieceCounts, pieceCounts } from './piece-counts.ts'
import { type TitleOf, titlesOf } from './titles.ts'

/* What the pages of a signed-in account show of others: those it follows, its notices, its library. */

const PAGE_ITEMS = 30
const PAGE_NOTICES = 100
const PAGE_SAVED = 200
const CURSOR = /^\d{15}-\d{8}-\d{8}$/

export interface FollowedView {
  readonly items: readonly FollowedItem[]
  /** Cursor of the following page. */
  readonly nextBefore: string | undefined
  readonly names: ReadonlyMap<Address, string>
  readonly titleOf: TitleOf
}

/** @param before Cursor of the page; an invalid one is ignored. @throws What the database throws. */
export async function followedView(
  ctx: Context,
  account: Address,
  before: string | undefined,
): Promise<FollowedView> {
  const start = before !== undefined && CURSOR.test(before) ? before : undefined
  const rows = await followedFeed(ctx, { account, limit: PAGE_ITEMS + 1, before: start })
  const items = rows.slice(0, PAGE_ITEMS)
  const [names, titleOf] = await Promise.all([
    namesOf(
      ctx,
      items.map(({ owner }) => owner),
    ),
    titlesOf(ctx, items),
  ])
  const nextBefore = rows.length > PAGE_ITEMS ? items.at(-1)?.historyCursor : undefined
  return { items, nextBefore, names, titleOf }
}

export interface NoticesView {
  readonly notices: readonly Notice[]
  readonly names: ReadonlyMap<Address, string>
  readonly nowMs: number
}

/** @throws What the database throws when it cannot be read. */
export async function noticesView(ctx: Context, account: Address): Promise<NoticesView> {
  const notices = await listNotices(ctx, { account, limit: PAGE_NOTICES })
  const names = await namesOf(
    ctx,
    notices.map(({ actor }) => actor),
  )
  return { notices, names, nowMs: ctx.clock().getTime() }
}

export interface LibraryView {
  readonly pieces: readonly (
    | { readonly of: 'entity'; readonly piece: Piece; readonly kind: EntityKind; readonly owner: Address }
    | { readonly of: 'world'; readonly piece: Piece; readonly world: World }
  )[]
  readonly counts: (piece: Piece) => PieceCounts
  readonly names: ReadonlyMap<Address, string>
  readonly titleOf: TitleOf
}

/** Entities that an account saved, the one saved last first. @throws What the database throws when it cannot be read. */
export async function libraryView(ctx: Context, account: Address): Promise<LibraryView> {
  const saved = await savedPieces(ctx, { account, limit: PAGE_SAVED })
  const [owners, worlds, counts, titleOf] = await Promise.all([
    ctx.db.sql<{ kind: EntityKind; name: string; owner: Address }[]>`
      select e.kind, e.name, e.owner
      from unnest(${saved.map(({ kind }) => kind)}::text[], ${saved.map(({ name }) => name)}::text[]) listed(kind, name)
      join entities e on e.kind = listed.kind and e.name = listed.name`,
    Promise.all(
      saved
        .filter(({ kind }) => kind === 'world')
        .map(({ name }) => getWorld(ctx, name).catch(undefinedOn('not_found'))),
    ),
    pieceCounts(ctx, saved),
    titlesOf(ctx, saved),
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
  return { pieces, counts, names, titleOf }
}
