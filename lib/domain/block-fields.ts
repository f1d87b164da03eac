import type { Address, Hash } from './entity.ts'

/** What code can read of the block that it runs in. */
export interface BlockFields {
  readonly chainId: bigint
  readonly number: bigint
  /** Seconds since 1970. */
  readonly timestamp: bigint
  readonly coinbase: Address
  readonly prevRandao: bigint
  readonly gasLimit: bigint
  readonly baseFee: bigint
  /** Undefined where the node does not say. */
  readonly blobBaseFee: bigint | undefined
  readonly parentHash: Hash
}
