import type { Identity, Services } from '../../context.ts'
import { Failure } from '../../domain/failure.ts'
import type { Incoming } from '../../http/incoming.ts'
import { verifyChainToken } from '../../identity/chain-token.ts'
import { isSuspended } from '../../identity/is-suspended.ts'
import { siteSessionOf } from '../../identity/site-session.ts'
import { bearerToken } from '../bearer-token.ts'

/**
 * The account behind the bearer token of a request, or, without one, behind the cookie of our own site. A token
 * outlives nothing that bars its account.
 *
 * @throws {Failure} `unauthenticated` when there is no valid token.
 */
export async function authenticateChain(
  { headers }: Pick<Incoming, 'headers'>,
  services: Services,
): Promise<Identity> {
  const token = bearerToken(headers) ?? (await siteSessionOf(headers, services))?.chain?.token
  const address = token === undefined ? undefined : await verifyChainToken(services, token)
  if (address === undefined || (await isSuspended(services, address))) {
    throw new Failure('unauthenticated', 'Missing, invalid or expired bearer token: log in at /auth first')
  }
  return { address }
}
