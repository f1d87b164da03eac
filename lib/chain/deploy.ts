import type { Account, Chain, PublicClient, Transport, WalletClient } from 'viem'
import registryArtifact from '../../contracts/artifacts/Registry.json' with { type: 'json' }
import runnerArtifact from '../../contracts/artifacts/Runner.json' with { type: 'json' }
import type { Address, Hex } from '../domain/entity.ts'
import { registryAbi, runnerAbi } from './abi.ts'

export interface Deployment {
  readonly registry: Address
  readonly runner: Address
  /** Block of the registry's deployment: no event of it is older. */
  readonly blockNumber: bigint
}

export interface Deployer {
  readonly account: Account
  readonly walletClient: WalletClient<Transport, Chain | undefined>
  readonly publicClient: PublicClient<Transport, Chain | undefined>
}

/**
 * Puts a new registry and a runner for it on a chain: two transactions of `account`, who gets no rights by it.
 *
 * @throws Error when a deployment is mined but fails.
 */
export async function deployContracts({
  account,
  walletClient,
  publicClient,
}: Deployer): Promise<Deployment> {
  const chain = walletClient.chain ?? null
  const mined = async (hash: Hex) => {
    const receipt = await publicClient.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success' || !receipt.contractAddress) {
      throw new Error(`Deployment ${hash} failed`)
    }
    return { address: receipt.contractAddress.toLowerCase() as Address, blockNumber: receipt.blockNumber }
  }
  const registry = await mined(
    await walletClient.deployContract({
      account,
      chain,
      abi: registryAbi,
      bytecode: registryArtifact.bytecode as Hex,
    }),
  )
  const runner = await mined(
    await walletClient.deployContract({
      account,
      chain,
      abi: runnerAbi,
      bytecode: runnerArtifact.bytecode as Hex,
      args: [registry.address],
    }),
  )
  return { registry: registry.address, runner: runner.address, blockNumber: registry.blockNumber }
}
