import { decodeFunctionResult, encodeFunctionData, parseAbi, size } from 'viem'
import type { ChainAccess } from '#lib/chain/access.ts'
import { evmCall } from '#lib/chain/evm-call.ts'
import { chainFacts } from '#lib/protocol/chains.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { estimateGas } from './chain-state.ts'
import { calldataTokens, intrinsicGas } from './estimate-publish-gas.ts'

/** Costs of publishing beside the work of the registry. */
export interface CalldataCost {
  /** Gas that the calldata adds to that of an ordinary chain. */
  readonly extraGas: bigint
  /** Least gas of the transaction. */
  readonly leastGas: bigint
  /** Wei for its data on Ethereum, beside gas. */
  readonly dataFee: bigint
}

/** Predeploy of chains built with the OP stack. */
export const GAS_PRICE_ORACLE: Address = '0x420000000000000000000000000000000000000f'
const ORACLE = parseAbi(['function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)'])

/** Bytes of an unsigned transaction beside its calldata, at most. */
const ENVELOPE_BYTES = 120

/** An account without code: a transaction to it costs what its calldata costs. */
const NOBODY: Address = '0x000000000000000000000000000000000000dead'

/**
 * Returns the cost of transactions with this calldata by the fee model of the chain.
 *
 * @throws Failure('chain_unavailable')
 */
export async function calldataCosts(
  chain: ChainAccess,
  from: Address,
  calldata: readonly Hex[],
): Promise<CalldataCost[]> {
  const { fees, calldataFloor } = chainFacts(chain.chainId)
  return Promise.all(
    calldata.map(async (data) => ({
      extraGas: fees === 'arbitrum' ? await postedGas(chain, from, data) : 0n,
      leastGas: calldataFloor ? 21_000n + 10n * calldataTokens(data) : 0n,
      dataFee: await dataFee(chain, data),
    })),
  )
}

/**
 * Returns the fee for the data of a transaction on Ethereum, at most; 0 on chains without one.
 *
 * @throws Failure('chain_unavailable')
 */
export async function dataFee(chain: ChainAccess, calldata: Hex): Promise<bigint> {
  if (chainFacts(chain.chainId).fees !== 'op-stack') return 0n
  const bytes = BigInt(size(calldata) + ENVELOPE_BYTES)
  const data = encodeFunctionData({ abi: ORACLE, functionName: 'getL1FeeUpperBound', args: [bytes] })
  const outcome = await evmCall(chain.public, { to: GAS_PRICE_ORACLE, data })
  // A fork of the stack may have an older oracle: then only gas is known.
  if (!outcome.ok || size(outcome.data) !== 32) return 0n
  return decodeFunctionResult({ abi: ORACLE, functionName: 'getL1FeeUpperBound', data: outcome.data })
}

/** Gas that Arbitrum charges for posting calldata to Ethereum: what a transaction with it costs above the usual. */
async function postedGas(chain: ChainAccess, from: Address, data: Hex): Promise<bigint> {
  const estimate = await estimateGas(chain, { from, to: NOBODY, data })
  const usual = intrinsicGas(data)
  return estimate.ok && estimate.gas > usual ? estimate.gas - usual : 0n
}
