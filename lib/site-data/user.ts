import type { Context } from '../context.ts'
import { parseAddress } from '../domain/address.ts'
import { type Address, ENTITY_KINDS, type EntityKind } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { isEntityName } from '../domain/names.ts'
import { getAccount } from '../registry/get-account.ts'
import type { Page } from '../registry/page.ts'
import { getUser } from '../social/get-user.ts'

const PAGE_NAMES = 60

export interface UserView {
  readonly address: Address
  /** Names the account holds, published and drafts alike. */
  readonly holds: Readonly<Record<EntityKind, Page>>
  /** What people say of themselves; undefined for an address that never signed in. */
  readonly profile: PublicProfile | undefined
  readonly origin: string
}

export interface PublicProfile {
  readonly name: string | undefined
  readonly bio: string | undefined
}

/**
 * An account for its page. Every address has one, also while it holds nothing; undefined for what is no address.
 *
 * @param after Exclusive cursor of each list; what is none counts as the start.
 * @throws What the database throws when it cannot be read.
 */
export async function userView(
  ctx: Context,
  text: string,
  after: Readonly<Partial<Record<EntityKind, string>>>,
): Promise<UserView | undefined> {
  const address = parseAddress(text)
  if (address === undefined) return undefined
  const cursor = (kind: EntityKind) => {
    const name = after[kind]
    return name !== undefined && isEntityName(name) ? name : ''
  }
  const cursors = Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, cursor(kind)]))
  const [holds, profile] = await Promise.all([
    getAccount(ctx, { address, limit: PAGE_NAMES, after: cursors as Record<EntityKind, string> }),
    readProfile(ctx, address),
  ])
  return { address, holds, profile, origin: ctx.config.siteOrigin }
}

async function readProfile(ctx: Context, address: Address): Promise<PublicProfile | undefined> {
  try {
    const { displayName, profile, status } = await getUser(ctx, { address })
    if (status !== 'active') return undefined
    // Conventional keys of a free-form object: whatever else may be in their place is not shown.
    const said =
      typeof profile.public === 'object' ? (profile.public as Record<string, unknown> | null) : null
    const text = (value: unknown, limit: number) =>
      typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, limit) : undefined
    return { name: text(displayName, 120) ?? text(said?.nickname, 120), bio: text(said?.bio, 1000) }
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  }
}
