import { decodeErrorResult, type PublicClient, type Transaction, type TransactionReceipt } from 'viem'
import type { ChainAccess } from '#lib/chain/access.ts'
import { type CallOutcome, outcomeOf } from '#lib/chain/evm-call.ts'
import { chainUnavailable, NodeRefusal, readProvider, viaProvider, viemError } from '#lib/chain/provider.ts'
import { registryAbi } from '#lib/protocol/abi.ts'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { decodeRejection } from '#lib/protocol/rejection.ts'

/** Fields of the newest block that a transaction depends on. */
export interface ChainHead {
  /** Unix seconds. */
  readonly timestamp: bigint
  readonly gasLimit: bigint
  /** Undefined on a chain without EIP-1559. */
  readonly baseFeePerGas: bigint | undefined
}

/** @throws Failure('chain_unavailable') */
export async function chainHead(client: PublicClient): Promise<ChainHead> {
  const block = await readProvider('read the newest block', () => client.getBlock({ blockTag: 'latest' }))
  return {
    timestamp: block.timestamp,
    gasLimit: block.gasLimit,
    baseFeePerGas: block.baseFeePerGas ?? undefined,
  }
}

/** Transaction counts of an account: mined, and including pending ones. */
export async function accountNonces(
  client: PublicClient,
  address: Address,
): Promise<{ mined: bigint; pending: bigint }> {
  const [mined, pending] = await readProvider('read the account nonce', () =>
    Promise.all([
      client.getTransactionCount({ address, blockTag: 'latest' }),
      client.getTransactionCount({ address, blockTag: 'pending' }),
    ]),
  )
  // Nodes without a pending state may return less than is mined after a reorg.
  return { mined: BigInt(mined), pending: BigInt(Math.max(mined, pending)) }
}

export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

const GWEI = 1_000_000_000n

/** Returns the priority fee that the node suggests, in wei. */
export function suggestTip(client: PublicClient): Promise<bigint> {
  return viaProvider('read fees', () =>
    client.request({ method: 'eth_maxPriorityFeePerGas' }).then((fee) => BigInt(fee as Hex)),
  ).catch((error: unknown) => {
    // Not every node has the method; one gwei is accepted everywhere.
    if (error instanceof NodeRefusal) return GWEI
    throw error
  })
}

/**
 * Suggests fees that suffice until the base fee doubles; the priority fee never exceeds the maximum.
 *
 * @param tip Of `suggestTip`, where it was read already.
 */
export async function suggestFees(client: PublicClient, head: ChainHead, tip?: bigint): Promise<Fees> {
  const priority = tip ?? (await suggestTip(client))
  const base = head.baseFeePerGas ?? (await readProvider('read fees', () => client.getGasPrice()))
  const maxFeePerGas = base * 2n + priority
  return { maxFeePerGas, maxPriorityFeePerGas: priority < maxFeePerGas ? priority : maxFeePerGas }
}

/** Estimates the gas of a transaction, or returns why it would fail. */
export async function estimateGas(
  chain: ChainAccess,
  call: { from: Address; to: Address; data: Hex },
): Promise<{ ok: true; gas: bigint } | Extract<CallOutcome, { ok: false }>> {
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

/** Returns a mined or pending transaction. @throws Failure('chain_unavailable') */
export function readTransaction(client: PublicClient, hash: Hash): Promise<Transaction | undefined> {
  return readProvider('look up the transaction', () =>
    client.getTransaction({ hash }).catch((error: unknown) => {
      if (viemError(error, 'TransactionNotFoundError')) return undefined
      throw error
    }),
  )
}

/** Returns the receipt of a mined transaction. @throws Failure('chain_unavailable') */
export function readReceipt(client: PublicClient, hash: Hash): Promise<TransactionReceipt | undefined> {
  return readProvider('look up the receipt', () =>
    client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (viemError(error, 'TransactionReceiptNotFoundError')) return undefined
      throw error
    }),
  )
}

/** Why a publication would fail, for the client. */
export interface RevertReason {
  /** Solidity error name, or `OutOfGas`, `InsufficientFunds`, `Fault`. */
  readonly name: string
  readonly message: string
}

/** Decodes the registry's error, if it is one. */
export function revertReason(outcome: Extract<CallOutcome, { ok: false }>): RevertReason {
  switch (outcome.cause) {
    case 'revert':
      return registryError(outcome.revertData)
    case 'out_of_gas':
      return { name: 'OutOfGas', message: 'out of gas' }
    case 'funds':
      return { name: 'InsufficientFunds', message: 'insufficient funds' }
    case 'fault':
      return { name: 'Fault', message: outcome.message }
  }
}

/** Solidity's own errors, which the decoder knows as well. */
const SOLIDITY_ERRORS: readonly string[] = ['Error', 'Panic']

function registryError(data: Hex): RevertReason {
  try {
    const { errorName, args } = decodeErrorResult({ abi: registryAbi, data })
    if (SOLIDITY_ERRORS.includes(errorName)) return fromRejection(data)
    const values = ((args ?? []) as readonly unknown[]).map(String).join(', ')
    return { name: errorName, message: `${errorName}(${values})` }
  } catch {
    return fromRejection(data)
  }
}

function fromRejection(data: Hex): RevertReason {
  const { name, message } = decodeRejection(data)
  return { name, message: name === 'Error' || name === 'EmptyRevert' ? message : `${name}: ${message}` }
}
