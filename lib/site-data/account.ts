import type { Context, Session } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import { listSessions, type OwnSession } from '../identity/list-sessions.ts'
import { getUser } from '../social/get-user.ts'
import { type PublicProfile, publicProfile } from '../social/public-profile.ts'

export interface AccountView {
  readonly profile: PublicProfile
  readonly sessions: readonly OwnSession[]
  readonly nowMs: number
}

/**
 * A person's own account; undefined when it was deleted a moment ago.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function accountView(ctx: Context, session: Session): Promise<AccountView | undefined> {
  const own: Context = { ...ctx, caller: session.address, session }
  try {
    const [user, sessions] = await Promise.all([getUser(own, session), listSessions(own)])
    const profile = publicProfile(user.displayName, user.profile)
    return { profile, sessions, nowMs: ctx.clock().getTime() }
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  }
}
