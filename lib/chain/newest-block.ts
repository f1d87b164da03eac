import type { BlockFields } from '#lib/protocol/code-traits.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import type { ChainAccess } from './access.ts'
import { chainUnavailable, readProvider } from './provider.ts'

interface FeeHistory {
  Method: 'eth_feeHistory'
  Parameters: readonly [count: Hex, newest: 'latest', percentiles: readonly number[]]
  ReturnType: { readonly oldestBlock: Hex; readonly baseFeePerBlobGas?: readonly Hex[] } | null
}

/** Milliseconds for which simulations share a block. */
const BLOCK_TTL_MS = 1000

/** A cached `readNewestBlock`: one read a second, shared by concurrent callers. Failures are not cached. */
export function newestBlockReader(chain: ChainAccess): () => Promise<BlockFields> {
  let cached: { readonly expiresAt: number; readonly block: Promise<BlockFields> } | undefined
  return () => {
    if (cached !== undefined && performance.now() < cached.expiresAt) return cached.block
    const entry = { expiresAt: performance.now() + BLOCK_TTL_MS, block: readNewestBlock(chain) }
    entry.block.catch(() => {
      if (cached === entry) cached = undefined
    })
    cached = entry
    return entry.block
  }
}

/** Reads the fields of the newest block that code in a simulation can read. @throws Failure('chain_unavailable'). */
export async function readNewestBlock(chain: ChainAccess): Promise<BlockFields> {
  await chain.verify()
  const [block, fees] = await readProvider('read the newest block', () =>
    Promise.all([
      chain.public.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
      // Not every node has the method, and few bodies read the blob base fee.
      chain.public
        .request<FeeHistory>({ method: 'eth_feeHistory', params: ['0x1', 'latest', []] })
        .catch(() => undefined),
    ]),
  )
  if (!block?.hash || block.number === null) throw chainUnavailable('read the newest block')
  // The node may have received a block between its two answers.
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
