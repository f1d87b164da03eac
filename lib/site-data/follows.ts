import type { Context } from '../context.ts'
import type { Address } from '../domain/entity.ts'
import { listFollowers, listFollowing } from '../social/list-follows.ts'
import { namesOf } from '../social/names-of.ts'

const PAGE_PEOPLE = 50
/** Beyond it nobody is followed. */
const LAST_PAGE = 999

export type FollowDirection = 'followers' | 'following'

export interface FollowsView {
  /** What the account itself is called. */
  readonly name: string | undefined
  readonly people: readonly { readonly address: Address; readonly name: string | undefined }[]
  readonly more: boolean
}

/** Counted from zero; what is no page is the first. */
export function readPageNumber(value: string | string[] | undefined): number {
  const text = Array.isArray(value) ? value[0] : value
  return text !== undefined && /^\d{1,3}$/.test(text) ? Math.min(Number(text), LAST_PAGE) : 0
}

/**
 * Who follows an account, or whom it follows, for a page of either.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function followsView(
  ctx: Context,
  { address, direction, page }: { address: Address; direction: FollowDirection; page: number },
): Promise<FollowsView> {
  const list = direction === 'followers' ? listFollowers : listFollowing
  const [shown, next] = await Promise.all([
    list(ctx, { address, page, limit: PAGE_PEOPLE }),
    list(ctx, { address, page: (page + 1) * PAGE_PEOPLE, limit: 1 }),
  ])
  const names = await namesOf(ctx, [address, ...shown])
  return {
    name: names.get(address),
    people: shown.map((each) => ({ address: each, name: names.get(each) })),
    more: next.length > 0,
  }
}
