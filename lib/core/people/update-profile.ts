import { and, eq } from 'drizzle-orm'
import type { Context } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { users } from '#lib/platform/db/schema/index.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { searchableNames } from './public-profile.ts'
import { getUser, type Profile, toUser, type User } from './users.ts'

const MAX_NAME_CHARACTERS = 100
const MAX_PROFILE_BYTES = 64 * 1024

export interface ProfileChanges {
  readonly address: Address
  /** Null clears the name; undefined leaves it. */
  readonly displayName?: string | null | undefined
  /** Replaces the whole profile; undefined leaves it. */
  readonly profile?: Profile | undefined
}

/**
 * Changes the profile of the signed-in user.
 *
 * @throws Failure('unauthenticated'), Failure('forbidden') for another profile, Failure('invalid_request')
 * for a name or profile that is too long.
 */
export async function updateProfile(ctx: Context, changes: ProfileChanges): Promise<User> {
  if (requireSession(ctx).address !== changes.address) {
    throw new Failure('forbidden', 'This is not your profile')
  }
  const displayName = changes.displayName === undefined ? undefined : checkName(changes.displayName)
  const profile = changes.profile === undefined ? undefined : checkProfile(changes.profile)
  if (displayName === undefined && profile === undefined) return getUser(ctx, changes)
  const mine = and(eq(users.address, changes.address), eq(users.status, 'active'))
  const row = await ctx.db.orm.transaction(async (tx) => {
    const [before] = await tx.select().from(users).where(mine).for('update')
    if (before === undefined) return undefined
    const now = {
      displayName: displayName === undefined ? before.displayName : displayName,
      profile: profile ?? before.profile,
    }
    const searchText = searchableNames(now.displayName, JSON.parse(now.profile) as Profile)
    const [after] = await tx
      .update(users)
      .set({ ...now, searchText, updatedAt: ctx.clock() })
      .where(mine)
      .returning()
    return after
  })
  // Deleted or suspended since the request came in.
  if (row === undefined) throw new Failure('unauthenticated', 'Sign in first')
  return toUser(ctx.config, row)
}

function checkName(name: string | null): string | null {
  if (name === null) return null
  if (/\p{Cc}/u.test(name)) {
    throw new Failure('invalid_request', 'display_name: no line breaks and other control characters')
  }
  if ([...name].length > MAX_NAME_CHARACTERS) {
    throw new Failure('invalid_request', `display_name: at most ${MAX_NAME_CHARACTERS} characters`)
  }
  return name
}

function checkProfile(profile: Profile): string {
  const text = JSON.stringify(profile)
  if (Buffer.byteLength(text) > MAX_PROFILE_BYTES) {
    throw new Failure('invalid_request', `profile_json: at most ${MAX_PROFILE_BYTES} bytes as compact JSON`)
  }
  return text
}
