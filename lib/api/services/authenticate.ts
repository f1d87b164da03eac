import type { Identity, Services } from '../../context.ts'
import { Failure } from '../../domain/failure.ts'
import type { Incoming } from '../../http/incoming.ts'
import { findSession } from '../../identity/find-session.ts'
import { siteSessionOf } from '../../identity/site-session.ts'
import { bearerToken } from '../bearer-token.ts'

/**
 * The session behind the bearer token of a request, or, without one, behind the cookie of our own site.
 *
 * @throws {Failure} `unauthenticated` when there is no valid session.
 */
export async function authenticateSession(
  { headers }: Pick<Incoming, 'headers'>,
  services: Services,
): Promise<Identity> {
  const token = bearerToken(headers)
  const session =
    token === undefined ? await siteSessionOf(headers, services) : await findSession(services, token)
  if (session === undefined) {
    throw new Failure('unauthenticated', 'Missing, invalid or expired session: sign in first')
  }
  const { id, address, roles } = session
  return { address, session: { id, address, roles } }
}
