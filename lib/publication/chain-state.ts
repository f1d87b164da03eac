import type { PublicClient } from 'viem'
import type { ChainAccess } from '../chain/access.ts'
import { type CallOutcome, outcomeOf } from '../chain/evm-call.ts'
import { chainUnavailable, NodeRefusal, readProvider, viaProvider } from '../chain/provider.ts'
import type { Address, Hex } from '../domain/entity.ts'

/** What of the newest block matters to a transaction. */
export interface ChainHead {
  /** Unix seconds. */
  readonly timestamp: bigint
  readonly gasLimit: bigint
  /** Undefined on a chain without EIP-1559. */
  readonly baseFeePerGas: bigint | undefined
}

/** @throws Failure('chain_unavailable') */
export const chainHead = async (client: PublicClient): Promise<ChainHead> => {
  const block = await readProvider('read the newest block', () => client.getBlock({ blockTag: 'latest' }))
  return {
    timestamp: block.timestamp,
    gasLimit: block.gasLimit,
    baseFeePerGas: block.baseFeePerGas ?? undefined,
  }
}

/** Transactions of an account: mined, and mined or waiting. */
export const accountNonces = async (
  client: PublicClient,
  address: Address,
): Promise<{ mined: bigint; pending: bigint }> => {
  const [mined, pending] = await readProvider('read the account nonce', () =>
    Promise.all([
      client.getTransactionCount({ address, blockTag: 'latest' }),
      client.getTransactionCount({ address, blockTag: 'pending' }),
    ]),
  )
  // Nodes that know no pending state answer with less than is mined after a reorganisation of their own view.
  return { mined: BigInt(mined), pending: BigInt(Math.max(mined, pending)) }
}

export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

const GWEI = 1_000_000_000n

/** Fees that stay good while the base fee doubles; the priority fee never exceeds the whole. */
export const suggestFees = async (client: PublicClient, head: ChainHead): Promise<Fees> => {
  const tip = await viaProvider('read fees', () =>
    client.request({ method: 'eth_maxPriorityFeePerGas' }).then((fee) => BigInt(fee as Hex)),
  ).catch((error: unknown) => {
    // Not every node knows the method; everyone takes a gwei.
    if (error instanceof NodeRefusal) return GWEI
    throw error
  })
  const base = head.baseFeePerGas ?? (await readProvider('read fees', () => client.getGasPrice()))
  const maxFeePerGas = base * 2n + tip
  return { maxFeePerGas, maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas }
}

/** Gas a call needs as a transaction, or why it would not go through. */
export const estimateGas = async (
  chain: ChainAccess,
  call: { from: Address; to: Address; data: Hex },
): Promise<{ ok: true; gas: bigint } | Extract<CallOutcome, { ok: false }>> => {
  try {
    const gas = await viaProvider('estimate gas', () =>
      chain.public.request({ method: 'eth_estimateGas', params: [call] }),
    )
    return { ok: true, gas: BigInt(gas) }
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error
    const outcome = outcomeOf(error)
    if (outcome === undefined) throw chainUnavailable('estimate gas', error)
    return outcome
  }
}
