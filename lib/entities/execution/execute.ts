import { chainUnavailable } from '../../chain/provider.ts'
import type { Context } from '../../context/context.ts'
import type { Address, Hash } from '../../protocol/entity.ts'
import { Failure } from '../../protocol/failure.ts'
import type { ParticleStream } from '../../protocol/particles.ts'
import { type ChainRunInput, runOnChain } from './run-on-chain.ts'

export interface Execution {
  /** The block that the call was pinned to. */
  readonly blockNumber: number
  readonly blockHash: Hash
  readonly runner: Address
  readonly particles: readonly ParticleStream[]
}

/**
 * Runs a published connector on chain: one read-only call of the Runner, pinned to the block of the configured tag, so that
 * anyone can repeat it.
 *
 * @throws Failure('not_found') for a connector unknown to the runner's registry, Failure('rejected') with the
 *   connector's own reason or the limit it exceeds, Failure('chain_malformed'), Failure('chain_unavailable').
 */
export async function execute(ctx: Context, input: Omit<ChainRunInput, 'at'>): Promise<Execution> {
  const run = await runOnChain(ctx, input)
  switch (run.outcome) {
    case 'particles': {
      const { blockNumber, blockHash, runner } = run.provenance
      return { blockNumber, blockHash, runner, particles: run.particles }
    }
    case 'unknown':
      throw new Failure('not_found', 'Connector not found')
    case 'rejected':
      throw new Failure('rejected', `Execution rejected: ${run.message}`)
    case 'block_gone':
    case 'state_gone':
      throw chainUnavailable('read the block')
  }
}
