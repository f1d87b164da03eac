import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM, EVMError } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { Account, type Address, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import type { Hash } from '../domain/entity.ts'
import type { ExactCall, ExactEngine, ExactOutcome } from '../engine/run.ts'
import { simulatedAddress } from './deployment.ts'
import { CALLER_ADDRESS, RUNNER_ADDRESS } from './machine.ts'

/**
 * An EVM that holds one entity at a time, called as the Runner calls it. Block values that a body may read are zero,
 * the chain id is 1.
 */
export function createExactEngine(): ExactEngine {
  const runner = createAddressFromString(RUNNER_ADDRESS)
  const origin = createAddressFromString(CALLER_ADDRESS)
  let world: Promise<World> | undefined
  let holds: { readonly hash: Hash; readonly to: Address } | undefined

  const put = async ({ state }: World, { code }: ExactCall): Promise<Address> => {
    if (holds?.hash === code.contentHash) return holds.to
    if (holds) await state.deleteAccount(holds.to)
    const to = createAddressFromString(simulatedAddress(code.contentHash))
    await state.putAccount(to, new Account())
    await state.putCode(to, hexToBytes(code.runtime))
    holds = { hash: code.contentHash, to }
    return to
  }

  return {
    call: async (call): Promise<ExactOutcome> => {
      world ??= createWorld()
      const { evm } = await world
      const to = await put(await world, call)
      const { execResult } = await evm.runCall({
        to,
        caller: runner,
        origin,
        data: call.calldata,
        gasLimit: call.gas,
        isStatic: true,
      })
      const { exceptionError: error, executionGasUsed: gasUsed, returnValue } = execResult
      if (error === undefined) return { status: 'returned', output: returnValue, gasUsed }
      // A callee that runs out of gas leaves its caller a 64th: an empty revert with nearly all gas gone.
      const starved =
        error.error === EVMError.errorMessages.REVERT &&
        returnValue.length === 0 &&
        gasUsed >= (call.gas * 63n) / 64n - 100_000n
      if (error.error === EVMError.errorMessages.OUT_OF_GAS || starved)
        return { status: 'exhausted', gasUsed }
      return { status: 'reverted', data: returnValue, gasUsed }
    },
  }
}

interface World {
  readonly evm: EVM
  readonly state: SimpleStateManager
}

async function createWorld(): Promise<World> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Cancun })
  const state = new SimpleStateManager({ common })
  return { evm: await createEVM({ common, stateManager: state }), state }
}
