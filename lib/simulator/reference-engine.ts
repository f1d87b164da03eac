import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { EVMError } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { Account, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { createVM } from '@ethereumjs/vm'
import { encodeFunctionData } from 'viem/utils'
import runnerArtifact from '../../contracts/artifacts/Runner.json' with { type: 'json' }
import { runnerAbi } from '../chain/abi.ts'
import type { Hex } from '../domain/entity.ts'
import { simulatedAddress, simulatedCode } from './deployment.ts'
import type { SimulationRequest } from './simulator.ts'

/** What one run of the Runner contract came to. */
export type EngineOutcome =
  | { readonly status: 'returned'; readonly output: Uint8Array }
  | { readonly status: 'reverted'; readonly revertData: Hex }
  | { readonly status: 'exhausted'; readonly gasLimit: bigint }

const RUNNER_ADDRESS = `0x${'52'.repeat(20)}` as const
const CALLER_ADDRESS = `0x${'57'.repeat(20)}` as const

/**
 * Runs a connector as the chain would: the Runner contract and the entities' own code in a local EVM. Exact and
 * slow (about ten million gas a second); every faster engine is measured against its answers. Block values that
 * a body may read are zero here, the chain id is 1.
 *
 * @param gasLimit bounds the work; running out of it is an outcome of its own, not a revert.
 */
export async function runOnReferenceEngine(
  request: SimulationRequest,
  gasLimit: bigint,
): Promise<EngineOutcome> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Cancun })
  const stateManager = new SimpleStateManager({ common })
  const vm = await createVM({ common, stateManager })
  const put = async (address: Hex, code: Hex) => {
    const at = createAddressFromString(address)
    await stateManager.putAccount(at, new Account())
    await stateManager.putCode(at, hexToBytes(code))
  }
  await put(RUNNER_ADDRESS, runnerArtifact.deployedBytecode as Hex)
  for (const artifact of request.artifacts)
    await put(simulatedAddress(artifact.contentHash), simulatedCode(artifact))

  const { execResult } = await vm.evm.runCall({
    to: createAddressFromString(RUNNER_ADDRESS),
    caller: createAddressFromString(CALLER_ADDRESS),
    data: hexToBytes(
      encodeFunctionData({
        abi: runnerAbi,
        functionName: 'generateAt',
        args: [simulatedAddress(request.root), request.particlesCount, request.dynamicRi],
      }),
    ),
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
  const revertData = `0x${Buffer.from(execResult.returnValue).toString('hex')}` as const
  return { status: 'reverted', revertData }
}
