import type { Identity, Services } from '../../context.ts'
import { Failure } from '../../domain/failure.ts'

/**
 * The session behind the bearer token of a request.
 *
 * @throws {Failure} `unauthenticated` when there is no valid session.
 */
export async function authenticateSession(_request: Request, _services: Services): Promise<Identity> {
  throw new Failure('unauthenticated', 'Missing, invalid or expired session: sign in first')
}
