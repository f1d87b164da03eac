import type { Identity, Services } from '../../context.ts'
import { Failure } from '../../domain/failure.ts'
import { verifyChainToken } from '../../identity/chain-token.ts'

/**
 * The account behind the bearer token of a request.
 *
 * @throws {Failure} `unauthenticated` when there is no valid token.
 */
export async function authenticateChain(request: Request, services: Services): Promise<Identity> {
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  const address = token === undefined ? undefined : await verifyChainToken(services, token)
  if (address === undefined) {
    throw new Failure('unauthenticated', 'Missing, invalid or expired bearer token: log in at /auth first')
  }
  return { address }
}
