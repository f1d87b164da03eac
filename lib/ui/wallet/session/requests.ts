import type { Address } from '#lib/protocol/entity.ts'
import type { SessionAnswer } from '#lib/server/operations/session/actions.ts'
import { fetchFromSite } from '#lib/ui/components/site-clock.ts'

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
  /** Expiry of the chain token, Unix milliseconds; null without one. */
  readonly chainExpiresAtMs: number | null
}

/** The server rejected the request; the message may be shown. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** From `Retry-After`; undefined when trying again is no use. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, message: string, retryAfterMs?: number) {
    super(message)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** No response: the site is down, or the browser is offline. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
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

/** Trades a signed nonce for the permission to draft and publish. @throws Refusal, NoAnswer */
export async function startChainAccess(signed: Signed): Promise<SiteSession | undefined> {
  return readSession(await ask('POST', '/session/chain', signed))
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

/** A message to sign that allows drafting and publishing for a while. @throws Refusal, NoAnswer */
export async function askChainMessage(address: Address): Promise<string> {
  const { nonce } = (await ask('GET', `/chain/nonce/${address}`)) as { nonce: string }
  return `Login nonce: ${nonce}`
}

/**
 * A request to this site, answered in JSON.
 *
 * @param content Sent as JSON, or as the form that it is.
 * @throws Refusal; NoAnswer, also when `signal` times out; another reason of `signal` itself.
 */
export async function ask(
  method: string,
  path: string,
  content?: unknown,
  signal?: AbortSignal,
): Promise<unknown> {
  let response: Response
  let text: string
  try {
    response = await fetchFromSite(path, {
      method,
      ...(signal && { signal }),
      ...(content instanceof FormData
        ? { body: content }
        : content !== undefined && {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(content),
          }),
    })
    text = await response.text()
  } catch (cause) {
    if (signal?.aborted && signal.reason?.name !== 'TimeoutError') throw signal.reason
    throw new NoAnswer('The site does not answer', { cause })
  }
  if (response.ok) return parse(text)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1000 : undefined
  throw new Refusal(response.status, messageOf(text), retryAfterMs)
}

/** A GET request; null where the site has no such thing. @throws as `ask`. */
export async function askIfAny(path: string, signal?: AbortSignal): Promise<unknown> {
  try {
    return await ask('GET', path, undefined, signal)
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The message of an error body: JSON with a `message`, or plain text. Pages of a proxy have none. */
export function messageOf(text: string): string {
  const body = parse(text)
  if (body === undefined) return text.startsWith('<') ? '' : text
  if (typeof body !== 'object' || body === null || !('message' in body)) return ''
  return typeof body.message === 'string' ? body.message : ''
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
    chainExpiresAtMs: session.chain_expires_at === null ? null : Date.parse(session.chain_expires_at),
  }
}
