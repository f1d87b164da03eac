import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Services } from '#lib/core/context/context.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import type { ChainNonce } from './chain-nonce.ts'
import { composeMessage } from './issue-challenge.ts'

const CHALLENGE_SECONDS = 5 * 60

/*
 * The original network's later sign-in. Its nonce authenticates itself like those of `chain-nonce.ts`, under a key of
 * its own; 33 bytes in hex:
 *
 *   5 bytes expiry, Unix seconds | 12 bytes random | 16 bytes of HMAC-SHA-256 over both, address, origin and chain id
 *
 * Only one spelling of a nonce is accepted, so that the table of used nonces has one row for it.
 */
const NONCE = /^[0-9a-f]{66}$/
const EXPIRY_BYTES = 5
const CLAIM_BYTES = 17
const TAG_BYTES = 16

const STATEMENT = 'Sign in to the chain API of Weft. This costs nothing and sends no transaction.'

type ChallengeServices = Pick<Services, 'config' | 'clock' | 'chain'>

export interface ChainChallenge {
  readonly nonce: string
  /** EIP-4361; signed by `personal_sign`. */
  readonly message: string
}

/**
 * Returns a message that `address` may sign once within five minutes to log in.
 *
 * @param origin Scheme and host of the page, as `window.location.origin` has them.
 * @throws Failure('invalid_request') for an origin that is not configured, Failure('chain_unavailable') while the
 *   chain's id is not known.
 */
export async function issueChainChallenge(
  services: ChallengeServices,
  address: Address,
  origin: string,
): Promise<ChainChallenge> {
  const { siteOrigin, allowedOrigins } = services.config
  if (!allowedOrigins.includes(origin)) {
    throw new Failure(
      'invalid_request',
      `origin: not an origin that this server signs in for; the one of its own site is ${siteOrigin}`,
    )
  }
  const chainId = await chainIdOf(services)
  const claims = randomBytes(CLAIM_BYTES)
  claims.writeUIntBE(Math.floor(services.clock().getTime() / 1000) + CHALLENGE_SECONDS, 0, EXPIRY_BYTES)
  const nonce = Buffer.concat([claims, tagOf(services, { address, origin, chainId }, claims)]).toString('hex')
  return { nonce, message: messageOf({ address, origin, chainId }, nonce, expiryOf(claims)) }
}

/**
 * Verifies a nonce without looking up whether it was used, and restores the message issued with it.
 *
 * @returns undefined for a nonce that this service did not issue for `address`, or that has expired.
 * @throws Failure('chain_unavailable') while the chain's id is not known.
 */
export async function verifyChainChallenge(
  services: ChallengeServices,
  address: Address,
  text: string,
): Promise<{ readonly nonce: ChainNonce; readonly message: string } | undefined> {
  if (!NONCE.test(text)) return undefined
  const bytes = Buffer.from(text, 'hex')
  const claims = bytes.subarray(0, CLAIM_BYTES)
  const chainId = await chainIdOf(services)
  const origin = services.config.allowedOrigins.find((each) =>
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
  return createHmac('sha256', key).update(text).digest().subarray(0, TAG_BYTES)
}

/** Without a chain, the first that sign-in allows. */
async function chainIdOf(services: ChallengeServices): Promise<number> {
  const { chain, config } = services
  if (config.chainId !== undefined) return config.chainId
  if (chain === undefined) return config.allowedChainIds[0] ?? 1
  return (await verifiedChain(services)).chainId
}
