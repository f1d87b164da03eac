import { and, eq, gt } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { chainNonces } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { issueChainToken } from './chain-token.ts'
import { parseSignature, signedMessage } from './verify-signature.ts'

const MESSAGE = /^Login nonce: ([0-9]{1,78})$/

export interface LoginInput {
  readonly address: Address
  /** Exactly `Login nonce: <nonce>`. */
  readonly message: string
  /** Hex with or without `0x`. */
  readonly signature: string
}

/**
 * Trades a signed nonce for an access token. The nonce is consumed by the attempt that names it, right or wrong, in
 * one statement, so that of many concurrent attempts at most one succeeds; other nonces of the address stay.
 *
 * @throws Failure('invalid_request') for a message, nonce or signature that is not acceptable.
 */
export async function chainLogin(ctx: Context, input: LoginInput): Promise<{ accessToken: string }> {
  const { address, message } = input
  const nonce = MESSAGE.exec(message)?.[1]
  if (nonce === undefined) throw invalid('Invalid message: sign exactly "Login nonce: <nonce>"')

  const consumed = await ctx.db.orm
    .delete(chainNonces)
    .where(
      and(
        eq(chainNonces.nonce, nonce),
        eq(chainNonces.address, address),
        gt(chainNonces.expiresAt, ctx.clock()),
      ),
    )
    .returning({ nonce: chainNonces.nonce })
  if (consumed.length === 0) throw invalid('Invalid nonce: unknown, used or expired, ask for a new one')

  const signature = parseSignature(input.signature)
  if (signature === undefined) throw invalid('Invalid signature: it must be hex, 65 bytes of r, s and v')
  if (!(await signedBy(ctx, address, message, signature))) {
    throw invalid('Invalid signature: it is not a signature of this message by this address')
  }
  return { accessToken: await issueChainToken(ctx, address) }
}

async function signedBy(
  ctx: Context,
  address: Address,
  message: string,
  signature: `0x${string}`,
): Promise<boolean> {
  try {
    return await signedMessage(ctx.chain?.public, address, message, signature)
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
