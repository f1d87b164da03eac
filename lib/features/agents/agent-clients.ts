import { jwtVerify, SignJWT } from 'jose'
import type { Services } from '#lib/core/context/context.ts'
import { isLoopback } from '#lib/protocol/dev-chain.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { type AgentClient, isDocumentId, readClientDocument } from './client-documents.ts'

const ALGORITHM = 'HS256'
const TYPE = 'oauth-client+jwt'

const MAX_REDIRECTS = 5
/** Documents list what all versions of an application use. */
const MAX_DOCUMENT_REDIRECTS = 20
const MAX_REDIRECT_LENGTH = 500
const MAX_NAME_LENGTH = 60
const UNNAMED = 'An application without a name'

/** Schemes that do something else than open an installed application. */
const REFUSED_SCHEMES =
  /^(?:about|blob|data|file|filesystem|ftp|http|intent|javascript|mailto|tel|vbscript|view-source|wss?):/i

/**
 * An address of an installed application: with an authority, or of a private-use scheme, which is a domain name reversed
 * and so has a dot, with a path alone (RFC 8252, 7.1).
 */
const APP_ADDRESS = /^(?:[a-z][a-z0-9.+-]+:\/\/[^/]|[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:\/[^/])/i

type ClientServices = Pick<Services, 'config' | 'clock'>

/**
 * Registers an application. Its id contains what it registered, signed, so that registrations need no storage.
 *
 * @param input Unverified `client_name` and `redirect_uris`.
 * @returns the id, and what was registered.
 * @throws Failure('invalid_request') for addresses that an answer cannot be sent to.
 */
export async function registerClient(
  { config, clock }: ClientServices,
  input: { readonly name: unknown; readonly redirectUris: unknown },
): Promise<AgentClient & { readonly id: string }> {
  const client = {
    name: shownName(input.name),
    redirectUris: checkedRedirects(input.redirectUris, MAX_REDIRECTS),
  }
  const id = await new SignJWT({ name: client.name, uris: client.redirectUris })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
    .setIssuer(config.siteOrigin)
    .setIssuedAt(Math.floor(clock().getTime() / 1000))
    .sign(config.chainTokenKey)
  return { id, ...client }
}

/**
 * Returns the application with this id: one that was registered here, or the address of a document about it.
 *
 * @param share Counts a fetch of the document, as `accountShare` has it; undefined for visitors.
 * @throws Failure('invalid_request') for an id of another site, or none; what `readClientDocument` throws.
 */
export async function readClient(
  { config, clock }: ClientServices,
  id: string,
  share: string | undefined,
): Promise<AgentClient> {
  if (isDocumentId(id)) {
    return readClientDocument({ config, clock }, id, share, (document) => describedBy(id, document))
  }
  try {
    const { payload } = await jwtVerify<{ name: string; uris: string[] }>(id, config.chainTokenKey, {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: config.siteOrigin,
      currentDate: clock(),
    })
    return { name: payload.name, redirectUris: payload.uris }
  } catch {
    throw new Failure(
      'invalid_request',
      'client_id: this application is not registered here; let it connect anew',
    )
  }
}

/** The host comes with the name, because that alone is verified. */
function describedBy(id: string, document: Readonly<Record<string, unknown>>): AgentClient {
  return {
    name: `${shownName(document.client_name)} (${new URL(id).host})`,
    redirectUris: checkedRedirects(document.redirect_uris, MAX_DOCUMENT_REDIRECTS),
  }
}

/** Whether an application registered an address. The port of a loopback address is free (RFC 8252). */
export function isRegistered({ redirectUris }: AgentClient, uri: string): boolean {
  return redirectUris.some((registered) => registered === uri || sameButPort(registered, uri))
}

function sameButPort(registered: string, uri: string): boolean {
  const [a, b] = [URL.parse(registered), URL.parse(uri)]
  if (a?.protocol !== 'http:' || b?.protocol !== 'http:' || !isLoopback(a.hostname)) return false
  a.port = b.port
  return a.href === b.href
}

function checkedRedirects(uris: unknown, max: number): string[] {
  if (Array.isArray(uris) && uris.length > 0 && uris.length <= max) return uris.map(checkedRedirect)
  throw new Failure('invalid_request', `redirect_uris: one to ${max} addresses are needed`)
}

/** HTTPS, loopback, or a scheme of an installed application. */
function checkedRedirect(uri: unknown): string {
  const url =
    typeof uri === 'string' && uri.length <= MAX_REDIRECT_LENGTH && /^[\x21-\x7e]+$/.test(uri)
      ? URL.parse(uri)
      : null
  const usable =
    url !== null &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' ||
      (url.protocol === 'http:' && isLoopback(url.hostname)) ||
      (!REFUSED_SCHEMES.test(url.protocol) && APP_ADDRESS.test(url.href)))
  if (usable) return uri as string
  throw new Failure(
    'invalid_request',
    'redirect_uris: expected https, http on this machine, or the scheme of an installed application, without a fragment',
  )
}

/** Removes control characters and direction marks. */
function shownName(name: unknown): string {
  if (typeof name !== 'string') return UNNAMED
  const plain = name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return plain === '' ? UNNAMED : [...plain].slice(0, MAX_NAME_LENGTH).join('')
}
