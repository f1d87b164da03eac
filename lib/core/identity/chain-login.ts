import type { Context } from '#lib/core/context/context.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { type ChainNonce, verifyNonce } from './chain-nonce.ts'
import { issueChainToken } from './chain-token.ts'
import { parseSignature, signedMessage } from './verify-signature.ts'

/** Used nonces are stored longer than they are valid, for servers whose clocks are behind. */
const CLOCK_TOLERANCE_MS = 60_000
/** Expired rows deleted per login: more than one, so that the table shrinks. */
const SWEEP_SIZE = 50

const MESSAGE = /^Login nonce: ([0-9]{1,78})$/

export interface LoginInput {
  readonly address: Address
  /** Exactly `Login nonce: <nonce>`. */
  readonly message: string
  /** Hex with or without `0x`. */
  readonly signature: string
}

/** A nonce that was issued for an account, with the text that had to be signed. */
export interface IssuedNonce {
  readonly nonce: ChainNonce
  readonly message: string
}

/**
 * Exchanges a signed nonce for an access token. Every attempt consumes its nonce in one statement, so that of concurrent
 * attempts at most one succeeds, over all servers of the database.
 *
 * @throws Failure('invalid_request') for a message, nonce or signature that is not acceptable.
 */
export async function chainLogin(ctx: Context, input: LoginInput): Promise<{ accessToken: string }> {
  const { address, message } = input
  const nonce = verifyNonce(ctx, address, nonceIn(message))
  return redeemNonce(ctx, input, nonce && { nonce, message })
}

/** Returns the digits of a login message. @throws Failure('invalid_request') for any other text. */
export function nonceIn(message: string): string {
  const nonce = MESSAGE.exec(message)?.[1]
  if (nonce === undefined) throw invalid('Invalid message: sign exactly "Login nonce: <nonce>"')
  return nonce
}

/**
 * Consumes a nonce and returns an access token for the signature of its message.
 *
 * @param issued Undefined for a nonce that was not issued for `address`, or that has expired.
 * @throws Failure('invalid_request') for a nonce or signature that is not acceptable.
 */
export async function redeemNonce(
  ctx: Context,
  { address, signature: text }: Pick<LoginInput, 'address' | 'signature'>,
  issued: IssuedNonce | undefined,
): Promise<{ accessToken: string }> {
  if (issued === undefined || !(await consume(ctx, issued.nonce))) {
    throw invalid('Invalid nonce: unknown, used or expired, ask for a new one')
  }
  const signature = parseSignature(text)
  if (signature === undefined) throw invalid('Invalid signature: it must be hex, 65 bytes of r, s and v')
  if (!(await signedBy(ctx, address, issued.message, signature))) {
    throw invalid('Invalid signature: it is not a signature of this message by this address')
  }
  return { accessToken: await issueChainToken(ctx, address) }
}

/** Marks a nonce as used, and deletes some expired ones. @returns false when it was used before. */
async function consume(ctx: Context, { text, expiresAt }: ChainNonce): Promise<boolean> {
  const obsolete = new Date(ctx.clock().getTime() - CLOCK_TOLERANCE_MS)
  const inserted = await ctx.db.sql`
    with swept as (
      delete from used_chain_nonces where nonce in (
        select nonce from used_chain_nonces where expires_at <= ${obsolete.toISOString()}::timestamptz
        limit ${SWEEP_SIZE} for update skip locked
      )
    )
    insert into used_chain_nonces (nonce, expires_at) values (${text}, ${expiresAt.toISOString()}::timestamptz)
    on conflict do nothing returning nonce`
  return inserted.length > 0
}

async function signedBy(
  ctx: Context,
  address: Address,
  message: string,
  signature: `0x${string}`,
): Promise<boolean> {
  try {
    return await signedMessage(ctx.chain?.public, address, message, signature, ctx.config.allowedOrigins)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'chain_unavailable') throw error
    ctx.log.warn({ err: error }, 'chain not reachable to verify a signature of a possible contract wallet')
    throw invalid(
      'Invalid signature: no key of this address made it, and the chain that could say whether a contract wallet did is not reachable',
    )
  }
}

function invalid(message: string): Failure {
  return new Failure('invalid_request', message)
}
