import type { VerifiedChain } from '#lib/chain/access.ts'
import { Failure } from '#lib/protocol/failure.ts'
import type { ChainServices } from './own-dev-chain.ts'

/**
 * Returns the chain of a request, verified once in the life of the process.
 *
 * @param absent Sentence for a server without one.
 * @throws Failure('chain_unavailable')
 */
export async function verifiedChain(
  { chain }: Pick<ChainServices, 'chain'>,
  absent = 'No chain is configured',
): Promise<VerifiedChain> {
  if (chain === undefined) throw new Failure('chain_unavailable', absent)
  await chain.verify()
  return chain as VerifiedChain
}
