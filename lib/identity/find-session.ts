import { and, eq, gt } from 'drizzle-orm'
import type { Services, Session } from '../context.ts'
import { sessions, users } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { rolesOf } from './roles.ts'
import { parseSessionToken, sameHash } from './session-token.ts'

export interface LiveSession extends Session {
  readonly expiresAt: Date
}

/**
 * The session behind a token. Asks the database each time, so that logging out, deletion and suspension hold from
 * the next request on, in every process.
 *
 * @returns undefined for anything but a live session of an active user. Never throws for any text.
 */
export async function findSession(
  services: Pick<Services, 'db' | 'config' | 'clock'>,
  token: string,
): Promise<LiveSession | undefined> {
  const parsed = parseSessionToken(token)
  if (parsed === undefined) return undefined
  const [row] = await services.db.orm
    .select({ secretHash: sessions.secretHash, address: sessions.address, expiresAt: sessions.expiresAt })
    .from(sessions)
    .innerJoin(users, and(eq(users.address, sessions.address), eq(users.status, 'active')))
    .where(and(eq(sessions.selector, parsed.selector), gt(sessions.expiresAt, services.clock())))
  if (row === undefined || !sameHash(row.secretHash, parsed.secretHash)) return undefined
  const address = row.address as Address
  return {
    id: parsed.selector,
    address,
    roles: rolesOf(services.config, address),
    expiresAt: row.expiresAt,
  }
}
