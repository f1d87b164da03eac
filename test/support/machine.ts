import { hexToBytes } from '@ethereumjs/util'
import { encodeFunctionData } from 'viem/utils'
import { CALLER_ADDRESS, createLocalEvm, RUNNER_ADDRESS } from '#lib/compute/simulator/local-evm.ts'
import { runnerAbi } from '#lib/protocol/abi.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import type { BlockFields } from '#lib/protocol/code-traits.ts'
import { encodeConnectorCode } from '#lib/protocol/connector-code.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Address, EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import runnerArtifact from '../../contracts/artifacts/Runner.json' with { type: 'json' }

/**
 * Address of an artifact in a simulation. Derived from its content, so that a connector finds exactly the artifacts it was
 * built against, whatever else has their names.
 */
export function simulatedAddress(contentHash: Hash): Address {
  return `0x${contentHash.slice(-40)}`
}

/** Code at `simulatedAddress` of an artifact, as the registry deploys it. */
export function simulatedCode(artifact: Artifact): Hex {
  if (artifact.kind !== 'connector') return artifact.runtime
  const addresses = new Map(
    artifact.dependencies.map((d) => [`${d.kind}/${d.name}`, simulatedAddress(d.contentHash)] as const),
  )
  const addressOf = (kind: EntityKind, name: string): Address => {
    const address = addresses.get(`${kind}/${name}`)
    if (address === undefined)
      throw new Error(`${artifact.name} does not list its dependency ${kind}/${name}`)
    return address
  }
  return encodeConnectorCode(artifact.definition, addressOf, artifact.leafCount, artifact.depth)
}

/** Outcome of one call. */
export type EngineOutcome =
  | { readonly status: 'returned'; readonly output: Uint8Array }
  | { readonly status: 'reverted'; readonly revertData: Hex }
  | { readonly status: 'exhausted'; readonly gasLimit: bigint }

/**
 * A local EVM with the Runner and some entities. Every call is static and independent of others. Calls throw `Unanswerable`,
 * after which the machine must not be used again.
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

/** @param gasLimit bounds the work of one call; exceeding it is a separate outcome, not a revert. */
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
    // An entity that exhausted the gas that the Runner passed on returns an empty revert with little gas left.
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
