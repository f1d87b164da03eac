import type { Context, Session } from '#lib/core/context/context.ts'
import { getAccount } from '#lib/core/entities/get-account.ts'
import type { Page } from '#lib/core/entities/list-keys.ts'
import { publishedCounts } from '#lib/core/entities/published-lists.ts'
import type { FeedPage } from '#lib/core/feed/list-items.ts'
import { listSessions, type OwnSession } from '#lib/core/identity/sessions.ts'
import {
  type FollowStanding,
  followStanding,
  listFollowers,
  listFollowing,
} from '#lib/core/people/follows.ts'
import { type PublicProfile, publicProfile } from '#lib/core/people/public-profile.ts'
import { getUser, namesOf } from '#lib/core/people/users.ts'
import { listWorlds } from '#lib/core/worlds/list-worlds.ts'
import type { World } from '#lib/core/worlds/world.ts'
import {
  type AgentGrant,
  type Authorisation,
  type AuthorisationRequest,
  listApplications,
  readAuthorisation,
} from '#lib/features/agents/index.ts'
import { type WebhooksAnswer, webhooksOf } from '#lib/features/webhooks/index.ts'
import { type Address, ENTITY_KINDS, type EntityKind } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import { undefinedOn } from './expected-failures.ts'
import { cursorOf, listItems } from './feed.ts'
import { firstOf } from './query.ts'
import { type TitleOf, titlesOf } from './titles.ts'

const PAGE_NAMES = 60
const PAGE_ITEMS = 10
const WORLDS = 12

export interface UserView {
  /** Names the account holds, published and drafts alike. */
  readonly holds: Readonly<Record<EntityKind, Page>>
  /** On chain. */
  readonly published: Readonly<Record<EntityKind, number>>
  /** Its publications, the newest first. */
  readonly activity: FeedPage
  readonly worlds: readonly World[]
  /** Undefined for an address that never signed in. */
  readonly profile: (PublicProfile & { readonly since: Date }) | undefined
  readonly standing: FollowStanding
  readonly titleOf: TitleOf
  readonly origin: string
  readonly nowMs: number
}

export interface UserQuery {
  readonly address: Address
  /** The signed-in account. */
  readonly viewer: Address | undefined
  /** Exclusive cursors of the lists of names; invalid ones are ignored. */
  readonly after: Readonly<Partial<Record<EntityKind, string>>>
  /** Cursor of the activity. */
  readonly before: string | undefined
}

/**
 * The view of an account's page. Every address has one, even without entities.
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
    listItems(ctx, { limit: PAGE_ITEMS, owner: address, before: cursorOf(query.before) }),
    listWorlds(ctx, { page: 0, limit: WORLDS, owner: address }),
    readProfile(ctx, address),
    followStanding(ctx, { address, viewer }),
  ])
  const titleOf = await titlesOf(ctx, [
    ...holds.connector.keys.map((name) => ({ kind: 'connector' as const, name })),
    ...activity.items,
  ])
  return {
    ...{ holds, published, activity, worlds, profile, standing, titleOf },
    origin: ctx.config.siteOrigin,
    nowMs: ctx.clock().getTime(),
  }
}

async function readProfile(ctx: Context, address: Address): Promise<UserView['profile']> {
  const user = await getUser(ctx, { address }).catch(undefinedOn('not_found'))
  if (user?.status !== 'active') return undefined
  return { ...publicProfile(user.displayName, user.profile), since: user.createdAt }
}

const PAGE_PEOPLE = 50
/** The last page of follows. */
const LAST_PAGE = 999

export type FollowDirection = 'followers' | 'following'

interface FollowsView {
  /** The account's display name. */
  readonly name: string | undefined
  readonly people: readonly { readonly address: Address; readonly name: string | undefined }[]
  readonly more: boolean
}

/** Parses a zero-based page number; 0 when invalid. */
export function readPageNumber(value: string | string[] | undefined): number {
  const text = firstOf(value)
  return text !== undefined && /^\d{1,3}$/.test(text) ? Math.min(Number(text), LAST_PAGE) : 0
}

/** The view of an account's followers or follows. @throws What the database throws when it cannot be read. */
export async function followsView(
  ctx: Context,
  { address, direction, page }: { address: Address; direction: FollowDirection; page: number },
): Promise<FollowsView> {
  const list = direction === 'followers' ? listFollowers : listFollowing
  const [addresses, next] = await Promise.all([
    list(ctx, { address, page, limit: PAGE_PEOPLE }),
    list(ctx, { address, page: (page + 1) * PAGE_PEOPLE, limit: 1 }),
  ])
  const names = await namesOf(ctx, [address, ...addresses])
  return {
    name: names.get(address),
    people: addresses.map((each) => ({ address: each, name: names.get(each) })),
    more: next.length > 0,
  }
}

export interface AccountView {
  readonly profile: PublicProfile
  readonly sessions: readonly OwnSession[]
  readonly applications: readonly AgentGrant[]
  readonly nowMs: number
}

/**
 * The view of the own account; undefined when it was deleted.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function accountView(ctx: Context, session: Session): Promise<AccountView | undefined> {
  const own: Context = { ...ctx, caller: session.address, session }
  const [user, sessions, applications] = await Promise.all([
    getUser(own, session).catch(undefinedOn('not_found')),
    listSessions(own).catch(undefinedOn('not_found')),
    listApplications(own, session.address),
  ])
  if (user === undefined || sessions === undefined) return undefined
  const profile = publicProfile(user.displayName, user.profile)
  return { profile, sessions, applications, nowMs: ctx.clock().getTime() }
}

/**
 * The view of an application's request to act for an account: the application, or the reason of a refusal.
 *
 * @param request The query of the page, unverified.
 */
export async function authorisationView(
  ctx: Context,
  request: AuthorisationRequest,
  viewer: Address | undefined,
): Promise<Authorisation | { readonly refusal: string } | { readonly signIn: true }> {
  try {
    return await readAuthorisation(ctx, request, viewer)
  } catch (error) {
    if (error instanceof Failure && error.code === 'unauthenticated') return { signIn: true }
    if (error instanceof Failure) return { refusal: error.message }
    throw error
  }
}

/** The view of the own webhooks. @throws What the database throws when it cannot be read. */
export async function webhooksView(
  ctx: Context,
  session: Session,
): Promise<{ readonly saved: WebhooksAnswer; readonly nowMs: number }> {
  const saved = await webhooksOf({ ...ctx, caller: session.address, session }, session.address)
  return { saved, nowMs: ctx.clock().getTime() }
}
