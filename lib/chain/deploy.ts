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

/** A contract that is on the chain. */
interface Deployed {
  readonly address: Address
  readonly blockNumber: bigint
}

/**
 * Puts a new registry and a runner for it on a chain: two transactions of `account`, who gets no rights by it.
 *
 * @throws Error when a deployment is mined but fails.
 */
export async function deployContracts(deployer: Deployer): Promise<Deployment> {
  const registry = await deployRegistry(deployer)
  const runner = await deployRunner(deployer, registry.address)
  return { registry: registry.address, runner: runner.address, blockNumber: registry.blockNumber }
}

/** The first of the two. @throws Error when it is mined but fails. */
export async function deployRegistry(deployer: Deployer): Promise<Deployed> {
  const { account, walletClient } = deployer
  const chain = walletClient.chain ?? null
  const bytecode = registryArtifact.bytecode as Hex
  return mined(deployer, await walletClient.deployContract({ account, chain, abi: registryAbi, bytecode }))
}

/** The second, for a registry that is there. @throws Error when it is mined but fails. */
export async function deployRunner(deployer: Deployer, registry: Address): Promise<Deployed> {
  const { account, walletClient } = deployer
  const chain = walletClient.chain ?? null
  const bytecode = runnerArtifact.bytecode as Hex
  const args = [registry] as const
  return mined(
    deployer,
    await walletClient.deployContract({ account, chain, abi: runnerAbi, bytecode, args }),
  )
}

async function mined({ publicClient }: Deployer, hash: Hex): Promise<Deployed> {
  const receipt = await publicClient.waitForTransactionReceipt({ hash })
  if (receipt.status !== 'success' || !receipt.contractAddress) {
    throw new Error(`Deployment ${hash} failed`)
  }
  return { address: receipt.contractAddress.toLowerCase() as Address, blockNumber: receipt.blockNumber }
}
