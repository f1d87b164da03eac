import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Services } from '#lib/core/context/context.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import type { ChainNonce } from '#lib/core/identity/chain-nonce.ts'
import { composeMessage } from '#lib/core/identity/issue-challenge.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'

const CHALLENGE_SECONDS = 5 * 60

/*
 * A nonce for clients of both ages: those that sign `Login nonce: <nonce>` accept decimal digits alone, the later ones
 * 66 hexadecimal digits. So it has 66 decimal ones. Like those of `chain-nonce.ts` it authenticates itself, under a key of
 * its own; 27 bytes as one number (2^216 < 10^66):
 *
 *   5 bytes expiry, Unix seconds | 8 bytes random | 14 bytes of HMAC-SHA-256 over both, address, origin and chain id
 *
 * Only one spelling of a nonce is accepted, so that the table of used nonces has one row for it.
 */
const DIGITS = 66
const EXPIRY_BYTES = 5
const CLAIM_BYTES = 13
const NONCE_BYTES = 27
const FORM = /^[0-9]{66}$/

const STATEMENT = 'Sign in to the chain API of Weft. This costs nothing and sends no transaction.'

type ChallengeServices = Pick<Services, 'config' | 'clock' | 'chain'>

export interface ChainChallenge {
  readonly nonce: string
  /** EIP-4361; signed by `personal_sign`. */
  readonly message: string
}

/** Origins that a request may name. */
export interface RequestOrigin {
  /** Origin in the query: must be one that this server signs in for. */
  readonly explicit?: string | undefined
  /** The `Origin` header: any page may call this API, so a foreign one counts as none. */
  readonly header?: string | undefined
}

/**
 * Returns a nonce that `address` may sign once within five minutes to log in, and the message that binds it to an origin:
 * the named one, else that of the header where it is allowed, else that of the site. Never the `Host` header, which the
 * client chooses.
 *
 * @throws Failure('invalid_request') for a named origin that is not configured, Failure('chain_unavailable') while the
 *   chain's id is not known.
 */
export async function issueChallenge(
  services: ChallengeServices,
  address: Address,
  { explicit, header }: RequestOrigin,
): Promise<ChainChallenge> {
  const allowed = originsOf(services)
  const { siteOrigin } = services.config
  if (explicit !== undefined && !allowed.includes(explicit)) {
    throw new Failure(
      'invalid_request',
      `origin: not an origin that this server signs in for; the one of its own site is ${siteOrigin}`,
    )
  }
  const origin = explicit ?? allowed.find((each) => each === header) ?? siteOrigin
  const chainId = await chainIdOf(services)
  const claims = randomBytes(CLAIM_BYTES)
  claims.writeUIntBE(Math.floor(services.clock().getTime() / 1000) + CHALLENGE_SECONDS, 0, EXPIRY_BYTES)
  const bytes = Buffer.concat([claims, tagOf(services, { address, origin, chainId }, claims)])
  const nonce = BigInt(`0x${bytes.toString('hex')}`)
    .toString()
    .padStart(DIGITS, '0')
  return { nonce, message: messageOf({ address, origin, chainId }, nonce, expiryOf(claims)) }
}

/** Whether text has the form of a nonce of this feature; those of the specification are shorter. */
export function isChallengeNonce(text: string): boolean {
  return FORM.test(text)
}

/**
 * Verifies a nonce without looking up whether it was used, and restores the message issued with it.
 *
 * @returns undefined for a nonce that this service did not issue for `address`, or that has expired.
 * @throws Failure('chain_unavailable') while the chain's id is not known.
 */
export async function verifyChallenge(
  services: ChallengeServices,
  address: Address,
  text: string,
): Promise<{ readonly nonce: ChainNonce; readonly message: string } | undefined> {
  if (!isChallengeNonce(text)) return undefined
  const hex = BigInt(text)
    .toString(16)
    .padStart(NONCE_BYTES * 2, '0')
  if (hex.length > NONCE_BYTES * 2) return undefined
  const bytes = Buffer.from(hex, 'hex')
  const claims = bytes.subarray(0, CLAIM_BYTES)
  const chainId = await chainIdOf(services)
  const origin = originsOf(services).find((each) =>
    timingSafeEqual(tagOf(services, { address, origin: each, chainId }, claims), bytes.subarray(CLAIM_BYTES)),
  )
  const expiresAt = expiryOf(claims)
  if (origin === undefined || services.clock() >= expiresAt) return undefined
  return { nonce: { text, expiresAt }, message: messageOf({ address, origin, chainId }, text, expiresAt) }
}

interface Subject {
  readonly address: Address
  readonly origin: string
  readonly chainId: number
}

/** Origins that messages may name: those configured, and the site's own. */
function originsOf({ config }: ChallengeServices): readonly string[] {
  return [...new Set([config.siteOrigin, ...config.allowedOrigins])]
}

function messageOf({ address, origin, chainId }: Subject, nonce: string, expiresAt: Date): string {
  const { host, protocol } = new URL(origin)
  return composeMessage({
    address,
    chainId,
    scheme: protocol.slice(0, -1),
    origin: { origin, domain: host },
    statement: STATEMENT,
    nonce,
    issuedAt: new Date(expiresAt.getTime() - CHALLENGE_SECONDS * 1000),
    expiresAt,
  })
}

function expiryOf(claims: Buffer): Date {
  return new Date(claims.readUIntBE(0, EXPIRY_BYTES) * 1000)
}

function tagOf({ config }: ChallengeServices, subject: Subject, claims: Buffer): Buffer {
  const { address, origin, chainId } = subject
  const key = new Uint8Array(hkdfSync('sha256', config.chainTokenKey, '', 'weft chain challenge', 32))
  const text = `${address} ${origin} ${chainId} ${claims.toString('hex')}`
  return createHmac('sha256', key)
    .update(text)
    .digest()
    .subarray(0, NONCE_BYTES - CLAIM_BYTES)
}

/** Without a chain, the first that sign-in allows. */
async function chainIdOf(services: ChallengeServices): Promise<number> {
  const { chain, config } = services
  if (config.chainId !== undefined) return config.chainId
  if (chain === undefined) return config.allowedChainIds[0] ?? 1
  return (await verifiedChain(services)).chainId
}
