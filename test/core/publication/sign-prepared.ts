import type { LocalAccount } from 'viem/accounts'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'

/** Answer of `prepare`, as a client sees it. */
export interface PreparedWire {
  readonly status: 'prepared'
  readonly transaction: { from: Address; to: Address; data: Hex; chainId: Hex; gas: Hex }
  readonly address: Address
  readonly content_hash: Hash
  readonly publication_nonce: number
  readonly deadline: number
  readonly signing?: { type: '0x2'; nonce: Hex; maxFeePerGas: Hex; maxPriorityFeePerGas: Hex; value: '0x0' }
}

/** Differences from an honest transaction. */
export interface TransactionChange {
  readonly chainId?: number
  readonly nonce?: number
  readonly gas?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  readonly to?: Address
  readonly value?: bigint
  readonly data?: Hex
  readonly accessList?: readonly { address: Address; storageKeys: readonly Hash[] }[]
}

/** `transaction` merged with `signing`, signed; `change` makes it dishonest. */
export function signPrepared(
  { transaction, signing }: PreparedWire,
  account: LocalAccount,
  change: TransactionChange = {},
): Promise<Hex> {
  if (signing === undefined) throw new Error('prepared without relay')
  return account.signTransaction({
    type: 'eip1559',
    chainId: Number(transaction.chainId),
    nonce: Number(signing.nonce),
    gas: BigInt(transaction.gas),
    maxFeePerGas: BigInt(signing.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(signing.maxPriorityFeePerGas),
    to: transaction.to,
    value: 0n,
    data: transaction.data,
    ...change,
  })
}
