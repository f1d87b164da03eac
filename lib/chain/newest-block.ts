import type { BlockFields } from '../domain/block-fields.ts'
import type { Hex } from '../domain/entity.ts'
import type { ChainAccess } from './access.ts'
import { chainUnavailable, readProvider } from './provider.ts'

interface FeeHistory {
  Method: 'eth_feeHistory'
  Parameters: readonly [count: Hex, newest: 'latest', percentiles: readonly number[]]
  ReturnType: { readonly oldestBlock: Hex; readonly baseFeePerBlobGas?: readonly Hex[] } | null
}

/**
 * The newest block, as code that runs in it reads it.
 *
 * @throws Failure('chain_unavailable').
 */
export async function readNewestBlock(chain: ChainAccess): Promise<BlockFields> {
  await chain.verify()
  const [block, fees] = await readProvider('read the newest block', () =>
    Promise.all([
      chain.public.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
      // Not every node has it, and few bodies read the price of blobs.
      chain.public
        .request<FeeHistory>({ method: 'eth_feeHistory', params: ['0x1', 'latest', []] })
        .catch(() => undefined),
    ]),
  )
  if (!block?.hash || block.number === null) throw chainUnavailable('read the newest block')
  // The node may have taken a block between its two answers.
  const [blobBaseFee] = fees?.oldestBlock === block.number ? (fees.baseFeePerBlobGas ?? []) : []
  return {
    chainId: BigInt(chain.chainId),
    number: BigInt(block.number),
    timestamp: BigInt(block.timestamp),
    coinbase: block.miner,
    prevRandao: BigInt(block.mixHash),
    gasLimit: BigInt(block.gasLimit),
    baseFee: BigInt(block.baseFeePerGas ?? 0),
    blobBaseFee: blobBaseFee === undefined ? undefined : BigInt(blobBaseFee),
    parentHash: block.parentHash,
  }
}
