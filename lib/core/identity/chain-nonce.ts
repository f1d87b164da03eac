import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Services } from '#lib/core/context/context.ts'
import type { Address } from '#lib/protocol/entity.ts'

const NONCE_SECONDS = 10 * 60

/*
 * A nonce authenticates itself, so that issuing one stores nothing, and requests of others for nonces of an account
 * cannot displace the account's own. Its 39 decimal digits are one number of 129 bits (2^129 < 10^39), high bits first:
 *
 *   33 bits random | 32 bits expiry, Unix seconds | 64 bits of HMAC-SHA-256 over address, random part and expiry
 *
 * Valid nonces of every address are public, so a forged tag gains one thing only: acceptance of 39 digits that the key
 * has already signed elsewhere, with a chance of 2^-64 for each such signature. To use up the account's nonce, an
 * attacker has to be issued the same one: the same random part out of 2^33 within the same second.
 */
const RANDOM_BITS = 33n
const EXPIRY_BITS = 32n
const TAG_BITS = 64n
const DIGITS = 39

export interface ChainNonce {
  readonly text: string
  readonly expiresAt: Date
}

type NonceServices = Pick<Services, 'config' | 'clock'>

/** Returns a number that `address` may sign once within ten minutes to log in. */
export function issueNonce(services: NonceServices, address: Address): string {
  const random = randomBytes(8).readBigUInt64BE() & mask(RANDOM_BITS)
  const expiry = BigInt(Math.floor(services.clock().getTime() / 1000) + NONCE_SECONDS)
  const claims = (random << EXPIRY_BITS) | expiry
  return ((claims << TAG_BITS) | tagOf(services, address, claims)).toString().padStart(DIGITS, '0')
}

/**
 * Verifies a nonce without looking up whether it was used.
 *
 * @param text Decimal digits.
 * @returns undefined for a nonce that this service did not issue for `address`, or that has expired.
 */
export function verifyNonce(services: NonceServices, address: Address, text: string): ChainNonce | undefined {
  if (text.length !== DIGITS) return undefined
  const nonce = BigInt(text)
  const claims = nonce >> TAG_BITS
  if (tagOf(services, address, claims) !== (nonce & mask(TAG_BITS))) return undefined
  const expiresAt = new Date(Number(claims & mask(EXPIRY_BITS)) * 1000)
  return services.clock() < expiresAt ? { text, expiresAt } : undefined
}

function tagOf({ config }: NonceServices, address: Address, claims: bigint): bigint {
  const key = new Uint8Array(hkdfSync('sha256', config.chainTokenKey, '', 'weft chain nonce', 32))
  return createHmac('sha256', key).update(`${address} ${claims}`).digest().readBigUInt64BE()
}

function mask(bits: bigint): bigint {
  return (1n << bits) - 1n
}
