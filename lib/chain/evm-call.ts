import { numberToHex, type PublicClient } from 'viem'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { chainUnavailable, NodeRefusal, viaProvider } from './provider.ts'

/** Block of a call: by hash (immutable), by number, or a tag. */
export type BlockReference = { readonly hash: Hash } | { readonly number: bigint } | 'latest' | 'pending'

export interface EvmCall {
  /** Undefined: `data` runs as the code of a contract that is being created, and what it returns is the answer. */
  readonly to?: Address
  readonly data: Hex
  readonly from?: Address
  readonly gas?: bigint
  readonly value?: bigint
  readonly block?: BlockReference
  readonly signal?: AbortSignal
}

/** Result of a call. `fault` is an exceptional halt without revert data. */
export type CallOutcome =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly cause: 'revert'; readonly revertData: Hex }
  | { readonly ok: false; readonly cause: 'out_of_gas' | 'funds' | 'fault'; readonly message: string }

const OUT_OF_GAS =
  /out ?of ?gas|OOG|gas uint64|gas required exceeds|intrinsic gas|gas limit|exceeds block gas|gas too low|floor/i
const FUNDS = /insufficient (funds|balance)|exceeds (the )?balance|lack of funds|OverflowPayment/i
const REVERT = /revert/i
const FAULT = /EVM error|invalid opcode|stack (under|over)flow|invalid jump|code size|contract creation/i

/** Classifies a node's refusal of a call; undefined when it concerns the node, not the call. */
export function outcomeOf(error: NodeRefusal): Extract<CallOutcome, { ok: false }> | undefined {
  const { message, data } = error.error
  if (data !== undefined && data !== '0x') return { ok: false, cause: 'revert', revertData: data }
  if (OUT_OF_GAS.test(message)) return { ok: false, cause: 'out_of_gas', message }
  if (FUNDS.test(message)) return { ok: false, cause: 'funds', message }
  if (REVERT.test(message) || data === '0x') return { ok: false, cause: 'revert', revertData: '0x' }
  if (FAULT.test(message)) return { ok: false, cause: 'fault', message }
  return undefined
}

function blockParameter(block: BlockReference) {
  if (typeof block === 'string') return block
  return 'hash' in block ? { blockHash: block.hash } : numberToHex(block.number)
}

/**
 * Runs `eth_call`, and distinguishes failed calls from failing nodes.
 *
 * @throws Failure('chain_unavailable') when the node fails or lacks the block.
 */
export async function evmCall(client: PublicClient, call: EvmCall): Promise<CallOutcome> {
  try {
    const data = await viaProvider('call the contract', () =>
      client.request(
        {
          method: 'eth_call',
          params: [
            {
              ...(call.to && { to: call.to }),
              data: call.data,
              ...(call.from && { from: call.from }),
              ...(call.gas !== undefined && { gas: numberToHex(call.gas) }),
              ...(call.value !== undefined && { value: numberToHex(call.value) }),
            },
            blockParameter(call.block ?? 'latest') as 'latest',
          ],
        },
        call.signal && { signal: call.signal },
      ),
    )
    return { ok: true, data: data as Hex }
  } catch (error) {
    const outcome = error instanceof NodeRefusal ? outcomeOf(error) : undefined
    if (outcome) return outcome
    if (error instanceof NodeRefusal) throw chainUnavailable('call the contract', error)
    throw error
  }
}
