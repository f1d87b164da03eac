import { randomInt } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { chainNonces } from '../db/schema/index.ts'
import type { Address } from '../domain/entity.ts'

/** Digits of a nonce: about 129 bits of randomness. */
const NONCE_DIGITS = 39
const NONCE_LIFETIME_MS = 10 * 60 * 1000
const MAX_LIVE_NONCES = 5
/** Enough to shrink the table faster than it grows, small enough not to be felt. */
const SWEEP_SIZE = 50

/**
 * A number that `address` may sign once within ten minutes to log in. At most five are live per address: a sixth
 * drops the oldest. Whether anybody holds the key of `address` is not asked here.
 */
export async function issueNonce(ctx: Context, input: { address: Address }): Promise<{ nonce: string }> {
  const { address } = input
  const nonce = randomNonce()
  const now = ctx.clock()
  const expiresAt = new Date(now.getTime() + NONCE_LIFETIME_MS)

  await ctx.db.orm.transaction(async (tx) => {
    // One at a time for each address, so that the limit holds and "oldest" has a meaning.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`chain_nonces ${address}`}, 0))`)
    await tx.insert(chainNonces).values({ nonce, address, expiresAt, createdAt: sql`clock_timestamp()` })
    await tx.execute(sql`
      delete from ${chainNonces} where ${chainNonces.nonce} in (
        select nonce from chain_nonces
        where address = ${address} and nonce <> ${nonce}
        order by created_at desc offset ${MAX_LIVE_NONCES - 1}
      )`)
  })
  await ctx.db.orm.execute(sql`
    delete from ${chainNonces} where ${chainNonces.nonce} in (
      select nonce from chain_nonces where expires_at <= ${now.toISOString()}::timestamptz
      limit ${SWEEP_SIZE} for update skip locked
    )`)
  return { nonce }
}

/** Exactly 39 decimal digits, each uniform. */
function randomNonce(): string {
  let digits = ''
  // 12 digits a draw: randomInt takes ranges below 2^48.
  while (digits.length < NONCE_DIGITS) digits += String(randomInt(10 ** 12)).padStart(12, '0')
  return digits.slice(0, NONCE_DIGITS)
}
