import { hexToBytes } from '@ethereumjs/util'
import { encodeFunctionData } from 'viem/utils'
import runnerArtifact from '../../contracts/artifacts/Runner.json' with { type: 'json' }
import { runnerAbi } from '../chain/abi.ts'
import type { Artifact } from '../domain/artifact.ts'
import type { BlockFields } from '../domain/block-fields.ts'
import type { PositionedRunningInstance } from '../domain/definition.ts'
import type { Address, Hex } from '../domain/entity.ts'
import { simulatedAddress, simulatedCode } from './deployment.ts'
import { CALLER_ADDRESS, createLocalEvm, RUNNER_ADDRESS } from './local-evm.ts'

/** What one call came to. */
export type EngineOutcome =
  | { readonly status: 'returned'; readonly output: Uint8Array }
  | { readonly status: 'reverted'; readonly revertData: Hex }
  | { readonly status: 'exhausted'; readonly gasLimit: bigint }

/**
 * A local EVM with the Runner and some entities in it. Every call is static: none sees what another did. Calls throw
 * `Unanswerable`, after which the machine must not be used again.
 */
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

/** @param gasLimit bounds the work of one call; running out of it is an outcome of its own, not a revert. */
export async function createMachine(
  artifacts: readonly Artifact[],
  gasLimit: bigint,
  block?: BlockFields,
): Promise<Machine> {
  const evm = await createLocalEvm()

  const call = async (to: Address, data: Hex): Promise<EngineOutcome> => {
    const outcome = await evm.call({
      to,
      from: CALLER_ADDRESS,
      calldata: hexToBytes(data),
      gas: gasLimit,
      block,
    })
    if (outcome.status === 'returned') return { status: 'returned', output: outcome.output }
    // Of an entity that used up what the Runner gave it, the same is left as of one that ran out.
    const usedUp = outcome.gasUsed >= (gasLimit * 63n) / 64n - 100_000n
    if (outcome.status === 'exhausted' || (usedUp && outcome.data.length === 0)) {
      return { status: 'exhausted', gasLimit }
    }
    return { status: 'reverted', revertData: `0x${Buffer.from(outcome.data).toString('hex')}` }
  }

  await evm.put(RUNNER_ADDRESS, runnerArtifact.deployedBytecode as Hex)
  for (const artifact of artifacts)
    await evm.put(simulatedAddress(artifact.contentHash), simulatedCode(artifact))

  return {
    put: evm.put,
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
