import type { Context } from '../context.ts'
import { type Address, ENTITY_KINDS, type EntityKind } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { isEntityName } from '../domain/names.ts'
import { type FeedPage, listFeedItems } from '../feed/list-items.ts'
import { parsePageCursor } from '../feed/page-cursor.ts'
import { getAccount } from '../registry/get-account.ts'
import type { Page } from '../registry/page.ts'
import { publishedCounts } from '../registry/published-counts.ts'
import { type FollowStanding, followStanding } from '../social/follow-standing.ts'
import { getUser } from '../social/get-user.ts'
import { type PublicProfile, publicProfile } from '../social/public-profile.ts'
import { listWorlds } from '../worlds/list-worlds.ts'
import type { World } from '../worlds/world.ts'

const PAGE_NAMES = 60
const PAGE_ITEMS = 10
const WORLDS = 12

export interface UserView {
  /** Names the account holds, published and drafts alike. */
  readonly holds: Readonly<Record<EntityKind, Page>>
  /** On chain. */
  readonly published: Readonly<Record<EntityKind, number>>
  /** What it published, the newest first. */
  readonly activity: FeedPage
  readonly worlds: readonly World[]
  /** What people say of themselves; undefined for an address that never signed in. */
  readonly profile: (PublicProfile & { readonly since: Date }) | undefined
  readonly standing: FollowStanding
  readonly origin: string
  readonly nowMs: number
}

export interface UserQuery {
  readonly address: Address
  /** Who looks. */
  readonly viewer: Address | undefined
  /** Exclusive cursor of each list of names; what is none counts as the start. */
  readonly after: Readonly<Partial<Record<EntityKind, string>>>
  /** Cursor of the activity. */
  readonly before: string | undefined
}

/**
 * An account for its page. Every address has one, also while it holds nothing.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function userView(ctx: Context, query: UserQuery): Promise<UserView> {
  const { address, viewer } = query
  const cursor = (kind: EntityKind) => {
    const name = query.after[kind]
    return name !== undefined && isEntityName(name) ? name : ''
  }
  const after = Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, cursor(kind)]))
  const [holds, published, activity, worlds, profile, standing] = await Promise.all([
    getAccount(ctx, { address, limit: PAGE_NAMES, after: after as Record<EntityKind, string> }),
    publishedCounts(ctx, { address }),
    readActivity(ctx, query),
    listWorlds(ctx, { page: 0, limit: WORLDS, owner: address }),
    readProfile(ctx, address),
    followStanding(ctx, { address, viewer }),
  ])
  return {
    ...{ holds, published, activity, worlds, profile, standing },
    origin: ctx.config.siteOrigin,
    nowMs: ctx.clock().getTime(),
  }
}

async function readActivity(ctx: Context, { address: owner, before }: UserQuery): Promise<FeedPage> {
  const input = { limit: PAGE_ITEMS, owner }
  const cursor = before === undefined ? undefined : parsePageCursor(before)
  try {
    return await listFeedItems(ctx, { ...input, before: cursor })
  } catch (error) {
    // An address can name a cursor of another network; what it can mean here is the start.
    if (error instanceof Failure) return listFeedItems(ctx, input)
    throw error
  }
}

async function readProfile(ctx: Context, address: Address): Promise<UserView['profile']> {
  try {
    const { displayName, profile, status, createdAt } = await getUser(ctx, { address })
    return status === 'active' ? { ...publicProfile(displayName, profile), since: createdAt } : undefined
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  }
}
