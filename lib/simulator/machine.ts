import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { EVMError } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { Account, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { createVM } from '@ethereumjs/vm'
import { encodeFunctionData } from 'viem/utils'
import runnerArtifact from '../../contracts/artifacts/Runner.json' with { type: 'json' }
import { runnerAbi } from '../chain/abi.ts'
import type { Artifact } from '../domain/artifact.ts'
import type { PositionedRunningInstance } from '../domain/definition.ts'
import type { Address, Hex } from '../domain/entity.ts'
import { simulatedAddress, simulatedCode } from './deployment.ts'

/** What one call came to. */
export type EngineOutcome =
  | { readonly status: 'returned'; readonly output: Uint8Array }
  | { readonly status: 'reverted'; readonly revertData: Hex }
  | { readonly status: 'exhausted'; readonly gasLimit: bigint }

/** A local EVM with the Runner and some entities in it. Every call is static: none sees what another did. */
export interface Machine {
  put(address: Address, code: Hex): Promise<void>
  call(to: Address, data: Hex): Promise<EngineOutcome>
  /** `Runner.generateAt`. */
  generate(
    connector: Address,
    particlesCount: number,
    dynamicRi: readonly PositionedRunningInstance[],
  ): Promise<EngineOutcome>
}

export const RUNNER_ADDRESS = `0x${'52'.repeat(20)}` as const
export const CALLER_ADDRESS = `0x${'57'.repeat(20)}` as const

/**
 * Block values that a body may read are zero here, the chain id is 1.
 *
 * @param gasLimit bounds the work of one call; running out of it is an outcome of its own, not a revert.
 */
export async function createMachine(artifacts: readonly Artifact[], gasLimit: bigint): Promise<Machine> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Cancun })
  const stateManager = new SimpleStateManager({ common })
  const vm = await createVM({ common, stateManager })

  const put = async (address: Address, code: Hex) => {
    const at = createAddressFromString(address)
    await stateManager.putAccount(at, new Account())
    await stateManager.putCode(at, hexToBytes(code))
  }

  const call = async (to: Address, data: Hex): Promise<EngineOutcome> => {
    const { execResult } = await vm.evm.runCall({
      to: createAddressFromString(to),
      caller: createAddressFromString(CALLER_ADDRESS),
      data: hexToBytes(data),
      gasLimit,
      isStatic: true,
    })
    const error = execResult.exceptionError
    if (error === undefined) return { status: 'returned', output: execResult.returnValue }
    if (error.error === EVMError.errorMessages.OUT_OF_GAS) return { status: 'exhausted', gasLimit }
    // A callee that runs out of gas leaves its caller a 64th, so the top sees an empty revert with nearly all gas gone.
    const nearlyAllGas = (gasLimit * 63n) / 64n - 100_000n
    if (execResult.returnValue.length === 0 && execResult.executionGasUsed >= nearlyAllGas) {
      return { status: 'exhausted', gasLimit }
    }
    return { status: 'reverted', revertData: `0x${Buffer.from(execResult.returnValue).toString('hex')}` }
  }

  await put(RUNNER_ADDRESS, runnerArtifact.deployedBytecode as Hex)
  for (const artifact of artifacts) await put(simulatedAddress(artifact.contentHash), simulatedCode(artifact))

  return {
    put,
    call,
    generate: (connector, particlesCount, dynamicRi) =>
      call(
        RUNNER_ADDRESS,
        encodeFunctionData({
          abi: runnerAbi,
          functionName: 'generateAt',
          args: [connector, particlesCount, dynamicRi],
        }),
      ),
  }
}
