import type { ChainAccess } from '../chain/access.ts'
import type { Services } from '../context.ts'
import { Failure } from '../domain/failure.ts'

/**
 * The first line of all three verbs, and the operations' precheck: whether this server publishes at all.
 *
 * @throws Failure('publication_disabled'), or Failure('chain_unavailable') when no chain is configured.
 */
export const requirePublication = ({ config, chain }: Pick<Services, 'config' | 'chain'>): ChainAccess => {
  if (!config.publicationEnabled) {
    throw new Failure('publication_disabled', 'Publication is disabled on this server')
  }
  if (chain === undefined) {
    throw new Failure(
      'chain_unavailable',
      'Publication is not available: no chain is configured on this server',
    )
  }
  return chain
}
