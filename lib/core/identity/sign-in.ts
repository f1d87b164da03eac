import { and, eq, gt, ne, sql } from 'drizzle-orm'
import type { Context } from '#lib/core/context/context.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import { sessions, siweChallenges, users } from '#lib/platform/db/schema/index.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { clientNetwork, FRESH_MS } from './client-network.ts'
import { messageChainId } from './issue-challenge.ts'
import { hashText, makeSessionToken } from './sessions.ts'
import { parseSignature, signedMessage } from './verify-signature.ts'

const SESSION_LIFETIME_MS = 24 * 60 * 60 * 1000
/** r, s and v; signatures of contract wallets are at least as long. */
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
  /** Returned once: only a hash of its secret is stored. */
  readonly token: string
  readonly expiresAt: Date
}

/**
 * Exchanges a signed challenge for a session of 24 hours, and creates the user at the first sign-in. A deleted user
 * starts with an empty profile. Success consumes the challenge in one statement, so that of concurrent attempts one gets
 * a token; a wrong signature does not consume it.
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

/** Condition for the unexpired challenge with exactly this text. */
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
      .values({ address, createdAt: now, updatedAt: now, lastLoginAt: now, network: clientNetwork(ctx) })
      .onConflictDoUpdate({
        target: users.address,
        set: {
          status: 'active',
          // A sign-in after deletion starts a new profile.
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
    update users set network = null where address in (
      select address from users
      where network is not null and created_at < ${new Date(now.getTime() - FRESH_MS).toISOString()}::timestamptz
      limit ${SWEEP_SIZE} for update skip locked
    )`)
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
  const { allowedOrigins } = ctx.config
  if (await signedMessage(undefined, address, message, signature, allowedOrigins)) return true
  if (ctx.chain === undefined) return false
  try {
    const chain = await verifiedChain(ctx)
    // On another chain the same address may be another contract.
    if (chain.chainId !== chainId) return false
    return await signedMessage(chain.public, address, message, signature, allowedOrigins)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'chain_unavailable') throw error
    ctx.log.warn({ err: error }, 'chain not reachable to verify a signature of a possible contract wallet')
    return false
  }
}

function unknownChallenge(): Failure {
  return new Failure('unauthenticated', 'The challenge is unknown, used or expired: ask for a new one')
}
