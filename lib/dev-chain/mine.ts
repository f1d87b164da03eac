import { numberToHex, type PublicClient } from 'viem'
import { Failure } from '../domain/failure.ts'
import { askNode, MAX_DEV_BLOCKS } from './dev-chain.ts'

/**
 * Mines empty blocks on the development chain.
 *
 * @param blocks 1..64.
 * @throws Failure('invalid_request'), Failure('chain_unavailable').
 */
export async function mineBlocks(client: PublicClient, blocks: number): Promise<void> {
  if (!Number.isInteger(blocks) || blocks < 1 || blocks > MAX_DEV_BLOCKS) {
    throw new Failure('invalid_request', `Blocks to mine must be a whole number from 1 to ${MAX_DEV_BLOCKS}`)
  }
  await askNode(client, 'anvil_mine', [numberToHex(blocks)])
}
