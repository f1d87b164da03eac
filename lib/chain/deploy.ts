import { concat, encodeDeployData, getContractAddress } from 'viem'
import { registryAbi, runnerAbi } from '#lib/protocol/abi.ts'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import registryArtifact from '../../contracts/artifacts/Registry.json' with { type: 'json' }
import runnerArtifact from '../../contracts/artifacts/Runner.json' with { type: 'json' }
import { CREATE2_DEPLOYER, type Deployer, ensureCreate2Deployer, SALT } from './create2-deployer.ts'
import { PASSKEY_FACTORY, PASSKEY_FACTORY_CREATION } from './passkey-factory.ts'

export interface ContractAddresses {
  readonly registry: Address
  readonly runner: Address
}

export interface Deployment extends ContractAddresses {
  /** Block of the registry's deployment, before which it has no event; undefined where the node pruned it. */
  readonly blockNumber: bigint | undefined
  /** False when all existed before. */
  readonly deployed: boolean
}

interface DeployOptions {
  /** Another salt yields other addresses: further registries for tests. */
  readonly salt?: Hash
  /** Deploy the deterministic deployment proxy also where the chain is not for development. */
  readonly createDeployer?: boolean
}

/** Creation code of the registry. */
export function registryCreation(): Hex {
  return encodeDeployData({ abi: registryAbi, bytecode: registryArtifact.bytecode as Hex })
}

/** Creation code of a runner for one registry. */
export function runnerCreation(registry: Address): Hex {
  return encodeDeployData({ abi: runnerAbi, bytecode: runnerArtifact.bytecode as Hex, args: [registry] })
}

/** Returns the addresses of this version's contracts, the same on every chain. */
export function contractAddresses(salt: Hash = SALT): ContractAddresses {
  const addressOf = (bytecode: Hex) =>
    getContractAddress({
      opcode: 'CREATE2',
      from: CREATE2_DEPLOYER,
      salt,
      bytecode,
    }).toLowerCase() as Address
  const registry = addressOf(registryCreation())
  return { registry, runner: addressOf(runnerCreation(registry)) }
}

/** A contract that a chain lacks. */
interface MissingContract {
  readonly address: Address
  readonly creation: Hex
  readonly salt: Hash
}

/** Returns the contracts that a chain lacks, in order of deployment. */
export async function missingContracts(
  publicClient: Deployer['publicClient'],
  salt: Hash = SALT,
): Promise<MissingContract[]> {
  const { registry, runner } = contractAddresses(salt)
  const contracts = [
    { address: registry, creation: registryCreation(), salt },
    { address: runner, creation: runnerCreation(registry), salt },
    // Shared by all registries.
    { address: PASSKEY_FACTORY, creation: PASSKEY_FACTORY_CREATION, salt: SALT },
  ]
  const present = await Promise.all(contracts.map(({ address }) => hasCode(publicClient, address)))
  return contracts.filter((_, index) => !present[index])
}

/**
 * Deploys the contracts that a chain lacks. Any account can: it gets no rights, and the addresses do not depend on it.
 *
 * @throws NoCreate2Deployer, or Error when a deployment is mined but leaves no contract.
 */
export async function deployContracts(
  deployer: Deployer,
  { salt = SALT, createDeployer = false }: DeployOptions = {},
): Promise<Deployment> {
  const { publicClient } = deployer
  const { registry, runner } = contractAddresses(salt)
  const missing = await missingContracts(publicClient, salt)
  if (missing.length > 0) await ensureCreate2Deployer(deployer, createDeployer)
  let blockNumber: bigint | undefined
  for (const contract of missing) {
    const block = await create(deployer, contract)
    if (contract.address === registry) blockNumber = block
  }
  blockNumber ??= await deploymentBlock(publicClient, registry)
  return { registry, runner, blockNumber, deployed: missing.length > 0 }
}

/** @returns the block in which the contract is created. */
async function create(
  { account, publicClient, walletClient }: Deployer,
  { address, creation, salt }: MissingContract,
): Promise<bigint> {
  const hash = await walletClient.sendTransaction({
    account,
    chain: walletClient.chain ?? null,
    to: CREATE2_DEPLOYER,
    data: concat([salt, creation]),
  })
  const { blockNumber } = await publicClient.waitForTransactionReceipt({ hash })
  // The transaction also fails when another one deployed the contract first.
  if (!(await hasCode(publicClient, address))) throw new Error(`Deployment ${hash} failed`)
  return blockNumber
}

/**
 * Finds the block since which an address has code, by bisection.
 *
 * @returns undefined where the node prunes the states of old blocks.
 */
export async function deploymentBlock(
  publicClient: Deployer['publicClient'],
  address: Address,
): Promise<bigint | undefined> {
  let [without, having] = [-1n, await publicClient.getBlockNumber()]
  try {
    while (having - without > 1n) {
      const middle = (without + having) / 2n
      if (await hasCode(publicClient, address, middle)) having = middle
      else without = middle
    }
    // A node without the state of a block may answer as if no address had code.
    const known = having === 0n || (await hasCode(publicClient, CREATE2_DEPLOYER, having - 1n))
    return known ? having : undefined
  } catch {
    return undefined
  }
}

async function hasCode(
  publicClient: Pick<Deployer['publicClient'], 'getCode'>,
  address: Address,
  blockNumber?: bigint,
): Promise<boolean> {
  const code = await publicClient.getCode({ address, ...(blockNumber !== undefined && { blockNumber }) })
  return code !== undefined && code !== '0x'
}
