import type { Identity, Services } from '#lib/core/context/context.ts'
import { standingOf } from '#lib/core/identity/authorise.ts'
import { verifyChainToken } from '#lib/core/identity/chain-token.ts'
import { findSession } from '#lib/core/identity/sessions.ts'
import { siteSessionOf } from '#lib/core/identity/site-session.ts'
import { verifyAgentToken } from '#lib/features/agents/index.ts'
import { Failure } from '#lib/protocol/failure.ts'
import type { ApiRequest } from '../http/request.ts'

/**
 * The account behind the bearer token of a request, or, without one, behind the cookie of our own site. A token
 * outlives nothing that bars its account.
 *
 * @throws {Failure} `unauthenticated` when there is no valid token.
 */
export async function authenticateChain(
  { headers }: Pick<ApiRequest, 'headers'>,
  services: Services,
): Promise<Identity> {
  const token = bearerToken(headers)
  const address =
    token === undefined
      ? (await siteSessionOf(headers, services))?.address
      : await verifyChainToken(services, token)
  const standing = address === undefined ? undefined : await standingOf(services, address)
  if (address === undefined || standing === undefined || standing.isSuspended) {
    throw new Failure('unauthenticated', 'Missing, invalid or expired bearer token: log in at /auth first')
  }
  return { address, isEstablished: standing.isEstablished }
}

/**
 * The account that connected the application with this bearer token.
 *
 * @throws {Failure} `unauthenticated` when there is no valid token.
 */
export async function authenticateAgent(
  { headers }: Pick<ApiRequest, 'headers'>,
  services: Services,
): Promise<Identity> {
  const token = bearerToken(headers)
  const address = token === undefined ? undefined : await verifyAgentToken(services, token)
  if (address === undefined) {
    throw new Failure('unauthenticated', 'This application is not connected to an account: connect it anew')
  }
  return { address }
}

/**
 * The session behind the bearer token of a request, or, without one, behind the cookie of our own site.
 *
 * @throws {Failure} `unauthenticated` when there is no valid session.
 */
export async function authenticateSession(
  { headers }: Pick<ApiRequest, 'headers'>,
  services: Services,
): Promise<Identity> {
  const token = bearerToken(headers)
  const session =
    token === undefined ? await siteSessionOf(headers, services) : await findSession(services, token)
  if (session === undefined) {
    throw new Failure('unauthenticated', 'Missing, invalid or expired session: sign in first')
  }
  const { id, address, roles, isEstablished } = session
  return { address, isEstablished, session: { id, address, roles } }
}

/**
 * The credentials of an `Authorization` header.
 *
 * @returns undefined without a header; `''` for a header that is not a bearer token, which proves nothing.
 */
function bearerToken(headers: Pick<Headers, 'get'>): string | undefined {
  const header = headers.get('authorization')
  if (header === null) return undefined
  return /^Bearer +([\w.~+/=-]+) *$/i.exec(header)?.[1] ?? ''
}
