import { and, eq, gt, ne, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { sessions, siweChallenges, users } from '../db/schema/index.ts'
import type { Address, Hex } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { hashText } from './hash-text.ts'
import { makeSessionToken } from './session-token.ts'
import { messageChainId } from './siwe-message.ts'
import { parseSignature, signedMessage } from './verify-signature.ts'

const SESSION_LIFETIME_MS = 24 * 60 * 60 * 1000
/** r, s and v. Contract wallets may ask for more, and never for less in practice. */
const SHORTEST_SIGNATURE_BYTES = 65
const SWEEP_SIZE = 50

export interface SignInInput {
  /** Exactly the message of the challenge. */
  readonly message: string
  /** Hex with or without `0x`. */
  readonly signature: string
}

export interface SignedIn {
  readonly address: Address
  /** Shown once: only a hash of its secret half is kept. */
  readonly token: string
  readonly expiresAt: Date
}

/**
 * Trades a signed challenge for a session of 24 hours, and makes the user's record at the first time. A deleted user
 * comes back with a fresh profile. The challenge is consumed by the success, in one statement, so that of many
 * concurrent attempts one gets a token; a wrong signature leaves it for the right one.
 *
 * @throws Failure('invalid_request') for a message or signature of the wrong form.
 * @throws Failure('unauthenticated') for an unknown, used or expired challenge, a signature that is not the
 * address's, or a suspended user.
 */
export async function signIn(ctx: Context, input: SignInInput): Promise<SignedIn> {
  const { message } = input
  const chainId = messageChainId(message)
  const signature = parseSignature(input.signature)
  if (signature === undefined || (signature.length - 2) / 2 < SHORTEST_SIGNATURE_BYTES) {
    throw new Failure('invalid_request', 'Invalid signature: it must be hex, 65 bytes of r, s and v')
  }
  const [challenge] = await ctx.db.orm
    .select({ address: siweChallenges.address })
    .from(siweChallenges)
    .where(live(message, ctx.clock()))
  if (challenge === undefined) throw unknownChallenge()
  const address = challenge.address as Address
  if (!(await signedBy(ctx, address, chainId, message, signature))) {
    throw new Failure('unauthenticated', 'The signature is not one of this message by its address')
  }
  return openSession(ctx, address, message)
}

/** These exact bytes, not expired. */
function live(message: string, now: Date) {
  return and(
    eq(siweChallenges.messageHash, hashText(message)),
    eq(siweChallenges.message, message),
    gt(siweChallenges.expiresAt, now),
  )
}

async function openSession(ctx: Context, address: Address, message: string): Promise<SignedIn> {
  const now = ctx.clock()
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS)
  const { token, selector, secretHash } = makeSessionToken()
  await ctx.db.orm.transaction(async (tx) => {
    const consumed = await tx
      .delete(siweChallenges)
      .where(live(message, now))
      .returning({ address: siweChallenges.address })
    if (consumed.length === 0) throw unknownChallenge()
    const welcome = await tx
      .insert(users)
      .values({ address, createdAt: now, updatedAt: now, lastLoginAt: now })
      .onConflictDoUpdate({
        target: users.address,
        set: {
          status: 'active',
          // Coming back after a deletion starts a fresh profile.
          updatedAt: sql`case when ${users.status} = 'deleted' then excluded.updated_at else ${users.updatedAt} end`,
          lastLoginAt: now,
        },
        setWhere: ne(users.status, 'suspended'),
      })
      .returning({ address: users.address })
    if (welcome.length === 0) throw new Failure('unauthenticated', 'This account is suspended')
    await tx.insert(sessions).values({ selector, secretHash, address, createdAt: now, expiresAt })
  })
  await ctx.db.orm.execute(sql`
    delete from ${sessions} where ${sessions.selector} in (
      select selector from sessions where expires_at <= ${now.toISOString()}::timestamptz
      limit ${SWEEP_SIZE} for update skip locked
    )`)
  return { address, token, expiresAt }
}

async function signedBy(
  ctx: Context,
  address: Address,
  chainId: number,
  message: string,
  signature: Hex,
): Promise<boolean> {
  if (await signedMessage(undefined, address, message, signature)) return true
  if (ctx.chain === undefined) return false
  try {
    await ctx.chain.verify()
    // The same address on another chain may be another contract with another owner.
    if (ctx.chain.chainId !== chainId) return false
    return await signedMessage(ctx.chain.public, address, message, signature)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'chain_unavailable') throw error
    ctx.log.warn({ err: error }, 'chain not reachable to verify a signature of a possible contract wallet')
    return false
  }
}

function unknownChallenge(): Failure {
  return new Failure('unauthenticated', 'The challenge is unknown, used or expired: ask for a new one')
}
