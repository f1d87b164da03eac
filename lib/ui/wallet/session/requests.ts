import { ask } from '#lib/browser/requests.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { SessionAnswer } from '#lib/server/operations/session/operations.ts'

/** The session of the site's cookie, which is HttpOnly. */
export interface SiteSession {
  /** Lower case. */
  readonly address: Address
  /** Display name; absent without one. */
  readonly name?: string | undefined
  readonly roles: readonly string[]
  /** Number of new notices; absent without any. */
  readonly notices?: number | undefined
  /** Unix milliseconds. */
  readonly expiresAtMs: number
}

export interface Signed {
  readonly message: string
  readonly signature: string
}

/** @throws Refusal, NoAnswer */
export async function fetchSession(): Promise<SiteSession | undefined> {
  return readSession(await ask('GET', '/session'))
}

/** Trades a signed challenge for the cookie. @throws Refusal, NoAnswer */
export async function startSession(signed: Signed): Promise<SiteSession | undefined> {
  return readSession(await ask('POST', '/session', signed))
}

/** @throws Refusal, NoAnswer */
export async function endSession(): Promise<void> {
  await ask('DELETE', '/session')
}

/** A message to sign that signs in. @throws Refusal, NoAnswer */
export async function askChallenge(address: Address, chainId: number): Promise<string> {
  const body = { address, chain_id: chainId }
  const { message } = (await ask('POST', '/services/auth/siwe/challenge', body)) as { message: string }
  return message
}

function readSession(body: unknown): SiteSession | undefined {
  const { session } = body as { session: SessionAnswer }
  if (session === null) return undefined
  return {
    address: session.address.toLowerCase() as Address,
    ...(session.name !== null && { name: session.name }),
    roles: session.roles,
    ...(session.notices > 0 && { notices: session.notices }),
    expiresAtMs: Date.parse(session.expires_at),
  }
}
