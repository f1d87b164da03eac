import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { and, desc, eq, gt, ne } from 'drizzle-orm'
import type { Context, Services, Session } from '#lib/core/context/context.ts'
import { sessions, users } from '#lib/platform/db/schema/index.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { isEstablished, requireSession, rolesOf } from './authorise.ts'

export interface LiveSession extends Session {
  readonly expiresAt: Date
  /** Whether the account counts apart from its client address. */
  readonly isEstablished: boolean
}

/**
 * Returns the session of a token. Reads the database each time, so that sign-out, deletion and suspension take effect at
 * the next request, in every process.
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
    .select({
      secretHash: sessions.secretHash,
      address: sessions.address,
      expiresAt: sessions.expiresAt,
      createdAt: users.createdAt,
    })
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
    isEstablished: isEstablished(row.createdAt, services.clock()),
  }
}

/** Sessions listed at most. */
const MAX_SESSIONS = 50

export interface OwnSession {
  readonly createdAt: Date
  readonly expiresAt: Date
  /** The session of the request. */
  readonly current: boolean
}

/** Returns the live sessions of the signed-in user, newest first, at most 50. @throws Failure('unauthenticated') */
export async function listSessions(ctx: Context): Promise<readonly OwnSession[]> {
  const { id, address } = requireSession(ctx)
  const rows = await ctx.db.orm
    .select({
      selector: sessions.selector,
      createdAt: sessions.createdAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .where(and(eq(sessions.address, address), gt(sessions.expiresAt, ctx.clock())))
    .orderBy(desc(sessions.createdAt))
    .limit(MAX_SESSIONS)
  return rows.map(({ selector, ...times }) => ({ ...times, current: selector === id }))
}

/** Time in which requests may still carry the cookie of a session that another replaced. */
const REPLACED_MS = 60_000

/**
 * Ends the session of the request within a minute. The browser stores the cookie of the session that replaces it later
 * than this server sends it, and until then its pages send requests with the cookie before it.
 *
 * @throws Failure('unauthenticated')
 */
export async function replaceSession(ctx: Context): Promise<void> {
  const { id } = requireSession(ctx)
  const soon = new Date(ctx.clock().getTime() + REPLACED_MS)
  await ctx.db.orm
    .update(sessions)
    .set({ expiresAt: soon })
    .where(and(eq(sessions.selector, id), gt(sessions.expiresAt, soon)))
}

/** Ends the session of the request; others of the same user stay. @throws Failure('unauthenticated') */
export async function signOut(ctx: Context): Promise<void> {
  const { id } = requireSession(ctx)
  await ctx.db.orm.delete(sessions).where(eq(sessions.selector, id))
}

/**
 * Ends all sessions of the signed-in user except that of the request. Access tokens of the chain API expire within
 * minutes.
 *
 * @throws Failure('unauthenticated')
 */
export async function signOutOthers(ctx: Context): Promise<void> {
  const { id, address } = requireSession(ctx)
  await ctx.db.orm.delete(sessions).where(and(eq(sessions.address, address), ne(sessions.selector, id)))
}

const TOKEN = /^([0-9a-f]{64})\.([0-9a-f]{64})$/

/** A parsed session token: the selector finds the row, the secret authenticates it. */
export interface SessionToken {
  readonly selector: string
  readonly secretHash: string
}

/** Creates a token, with the parts that are stored. @param selector Of the row, where it exists. */
export function makeSessionToken(
  selector = randomBytes(32).toString('hex'),
): SessionToken & { readonly token: string } {
  const secret = randomBytes(32).toString('hex')
  return { token: `${selector}.${secret}`, selector, secretHash: hashText(secret) }
}

/** @returns undefined for text that is no session token. */
export function parseSessionToken(text: string): SessionToken | undefined {
  const [, selector, secret] = TOKEN.exec(text) ?? []
  return selector === undefined || secret === undefined
    ? undefined
    : { selector, secretHash: hashText(secret) }
}

/** Compares in constant time. */
export function sameHash(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))
}

/** SHA-256 of the UTF-8 bytes, in lower-case hex. */
export function hashText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
