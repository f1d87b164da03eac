import { randomBytes, randomInt } from 'node:crypto'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { SiweMessage } from 'siwe'
import type { Context } from '#lib/core/context/context.ts'
import { siweChallenges } from '#lib/platform/db/schema/index.ts'
import { checksumAddress } from '#lib/protocol/address.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { hashText } from './sessions.ts'

const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000
const MAX_LIVE_CHALLENGES = 5
/** Expired rows deleted per challenge: more than one, so that the table shrinks. */
const SWEEP_SIZE = 50
/** About 70 MB with indexes. */
const MAX_CHALLENGES = 100_000
/** Issued challenges between two evictions, on average. */
const EVICTION_INTERVAL = 1000

export interface ChallengeInput {
  readonly address: Address
  readonly chainId: number
  /** The `Origin` header of the request. */
  readonly originHeader?: string | undefined
  /** Origin that a client without that header claims. */
  readonly appOrigin?: string | undefined
}

export interface Challenge {
  /** Only these exact bytes, signed, are accepted by `signIn`. */
  readonly message: string
  readonly expiresAt: Date
}

/**
 * Returns a message that `address` may sign once within five minutes to sign in. Limited to five live challenges per
 * account and client address.
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
    // Serialised, so that the limit holds.
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

/** Evicts challenges over `limit`, from the client addresses with the most, oldest first. */
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

export interface SignInOrigin {
  /** For instance `https://weft.example`. */
  readonly origin: string
  /** Host and port: what EIP-4361 calls the domain. */
  readonly domain: string
}

/**
 * Returns the origin to sign in to: the browser's `Origin` header, or the claimed one without it.
 *
 * @throws Failure('invalid_request') for none, or for text that is no origin.
 * @throws Failure('forbidden') for an origin that is not one of `allowed`.
 */
export function signInOrigin(
  allowed: readonly string[],
  header: string | undefined,
  claimed: string | undefined,
): SignInOrigin {
  const text = header ?? claimed
  if (text === undefined) {
    throw new Failure('invalid_request', 'Send an Origin header, or app_origin where there is none')
  }
  // Origin of sandboxed pages.
  if (text === 'null') throw notAllowed()
  const url = URL.parse(text)
  const plain =
    url !== null &&
    (url.pathname === '/' || url.pathname === '') &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === ''
  if (!plain)
    throw new Failure('invalid_request', 'Expected an origin like https://weft.example, without a path')
  if (!allowed.includes(url.origin)) throw notAllowed()
  return { origin: url.origin, domain: url.host }
}

function notAllowed(): Failure {
  return new Failure('forbidden', 'This server does not let people sign in from that origin')
}

const STATEMENT = 'Sign in to Weft. This costs nothing and sends no transaction.'

export interface MessageTerms {
  readonly address: Address
  readonly chainId: number
  readonly origin: SignInOrigin
  /** Named before the domain where it is given, for instance `https`. */
  readonly scheme?: string
  /** Default: that of the services API. */
  readonly statement?: string
  /** At least eight letters and digits. */
  readonly nonce: string
  readonly issuedAt: Date
  readonly expiresAt: Date
}

/** Returns the EIP-4361 message that a wallet displays and signs. */
export function composeMessage(terms: MessageTerms): string {
  return new SiweMessage({
    ...(terms.scheme !== undefined && { scheme: terms.scheme }),
    domain: terms.origin.domain,
    address: checksumAddress(terms.address),
    statement: terms.statement ?? STATEMENT,
    uri: terms.origin.origin,
    version: '1',
    chainId: terms.chainId,
    nonce: terms.nonce,
    issuedAt: terms.issuedAt.toISOString(),
    expirationTime: terms.expiresAt.toISOString(),
  }).prepareMessage()
}

/** Returns the chain id of a message. @throws Failure('invalid_request') for text that EIP-4361 does not allow. */
export function messageChainId(text: string): number {
  try {
    return new SiweMessage(text).chainId
  } catch {
    throw new Failure(
      'invalid_request',
      'The message is not an EIP-4361 message: sign the challenge as it came',
    )
  }
}
