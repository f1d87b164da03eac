import { randomBytes, randomInt } from 'node:crypto'
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
/** Some 70 MB with their indexes. */
const MAX_CHALLENGES = 100_000
/** Issued challenges between two evictions, on average. */
const EVICTION_INTERVAL = 1000

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
 * Returns a message that `address` may sign once within five minutes to sign in. A client address may have five live
 * ones for an account: requests from elsewhere do not count toward the owner's five, nor do used and expired ones.
 *
 * @throws Failure('invalid_request') for a chain that is not allowed, or for no usable origin.
 * @throws Failure('forbidden') for an origin that is not allowed.
 * @throws Failure('too_many') while five challenges of this client address for `address` are live.
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
  const client = ctx.client ?? ''
  const message = composeMessage({ address, chainId, origin, nonce, issuedAt, expiresAt })

  await ctx.db.orm.transaction(async (tx) => {
    // One at a time, so that the limit holds.
    const lock = `siwe_challenges ${address} ${client}`
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
    const live = await tx
      .select({ expiresAt: siweChallenges.expiresAt })
      .from(siweChallenges)
      .where(
        and(
          eq(siweChallenges.address, address),
          eq(siweChallenges.client, client),
          gt(siweChallenges.expiresAt, issuedAt),
        ),
      )
      .orderBy(asc(siweChallenges.expiresAt))
    const next = live[live.length - MAX_LIVE_CHALLENGES]
    if (next !== undefined) {
      throw new Failure(
        'too_many',
        `${MAX_LIVE_CHALLENGES} challenges that you asked for this address wait for a signature: use one, or let one expire`,
        { retryAfterSeconds: (next.expiresAt.getTime() - issuedAt.getTime()) / 1000 },
      )
    }
    await tx
      .insert(siweChallenges)
      .values({ messageHash: hashText(message), message, address, client, expiresAt })
  })
  await ctx.db.orm.execute(sql`
    delete from ${siweChallenges} where ${siweChallenges.messageHash} in (
      select message_hash from siwe_challenges where expires_at <= ${issuedAt.toISOString()}::timestamptz
      limit ${SWEEP_SIZE} for update skip locked
    )`)
  if (randomInt(EVICTION_INTERVAL) === 0) await evictChallenges(ctx)
  return { message, expiresAt }
}

/**
 * Deletes challenges over `limit`, from the client addresses with the most of them: the newest one of every client
 * address is kept before the second one of any.
 */
export async function evictChallenges({ db }: Pick<Context, 'db'>, limit = MAX_CHALLENGES): Promise<void> {
  await db.sql`
    delete from siwe_challenges where message_hash in (
      select message_hash from (
        select message_hash, expires_at,
          row_number() over (partition by client order by expires_at desc) as place
        from siwe_challenges
      ) ranked
      order by place, expires_at desc offset ${limit}
    )`
}
