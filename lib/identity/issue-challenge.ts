import { randomBytes } from 'node:crypto'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { siweChallenges } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { hashText } from './hash-text.ts'
import { signInOrigin } from './sign-in-origin.ts'
import { composeMessage } from './siwe-message.ts'

const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000
const MAX_LIVE_CHALLENGES = 5
/** Enough to shrink the table faster than it grows, small enough not to be felt. */
const SWEEP_SIZE = 50

export interface ChallengeInput {
  readonly address: Address
  readonly chainId: number
  /** The `Origin` header of the request. */
  readonly originHeader?: string | undefined
  /** What a client without that header claims. */
  readonly appOrigin?: string | undefined
}

export interface Challenge {
  /** Only these exact bytes, signed, are accepted by `signIn`. */
  readonly message: string
  readonly expiresAt: Date
}

/**
 * A message that `address` may sign once within five minutes to sign in. Used and expired ones do not count toward
 * the five that may be live. Whether anybody holds the key of `address` is not asked here.
 *
 * @throws Failure('invalid_request') for a chain that is not allowed, or for no usable origin.
 * @throws Failure('forbidden') for an origin that is not allowed.
 * @throws Failure('too_many') while five challenges of the address are live.
 */
export async function issueChallenge(ctx: Context, input: ChallengeInput): Promise<Challenge> {
  const { address, chainId } = input
  const { allowedChainIds, allowedOrigins } = ctx.config
  if (!allowedChainIds.includes(chainId)) {
    throw new Failure('invalid_request', `chain_id: this server allows ${allowedChainIds.join(', ')}`)
  }
  const origin = signInOrigin(allowedOrigins, input.originHeader, input.appOrigin)

  const issuedAt = ctx.clock()
  const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_LIFETIME_MS)
  const nonce = randomBytes(16).toString('hex')
  const message = composeMessage({ address, chainId, origin, nonce, issuedAt, expiresAt })

  await ctx.db.orm.transaction(async (tx) => {
    // One at a time for each address, so that the limit holds.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`siwe_challenges ${address}`}, 0))`)
    const live = await tx
      .select({ expiresAt: siweChallenges.expiresAt })
      .from(siweChallenges)
      .where(and(eq(siweChallenges.address, address), gt(siweChallenges.expiresAt, issuedAt)))
      .orderBy(asc(siweChallenges.expiresAt))
    const next = live[live.length - MAX_LIVE_CHALLENGES]
    if (next !== undefined) {
      throw new Failure(
        'too_many',
        `${MAX_LIVE_CHALLENGES} challenges of this address wait for a signature: use one, or let one expire`,
        { retryAfterSeconds: (next.expiresAt.getTime() - issuedAt.getTime()) / 1000 },
      )
    }
    await tx.insert(siweChallenges).values({ messageHash: hashText(message), message, address, expiresAt })
  })
  await ctx.db.orm.execute(sql`
    delete from ${siweChallenges} where ${siweChallenges.messageHash} in (
      select message_hash from siwe_challenges where expires_at <= ${issuedAt.toISOString()}::timestamptz
      limit ${SWEEP_SIZE} for update skip locked
    )`)
  return { message, expiresAt }
}
