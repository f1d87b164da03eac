/**
 * Puts the contracts on a chain, or checks those that are there: `npm run contracts:deploy`, `-- --verify`.
 *
 * CHAIN_RPC_URL and CHAIN_ID say which chain; DEPLOYER_PRIVATE_KEY, from the environment only, pays. What was deployed is
 * written down after each of the two transactions, so that a run that was cut short goes on where it stopped.
 */
import { parseArgs } from 'node:util'
import { createPublicClient, createWalletClient, formatEther, http, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Deployer, deployRegistry, deployRunner } from '../lib/chain/deploy.ts'
import { readSettings, type Settings } from '../lib/config.ts'
import { checksumAddress } from '../lib/domain/address.ts'
import type { Hex } from '../lib/domain/entity.ts'
import { type DeploymentRecord, readRecord, recordPath } from './contracts/deployment-record.ts'
import { registryCreation, runnerCreation, verifyDeployment } from './contracts/verify-deployment.ts'
import { writeJson } from './stack/files.ts'

/** Said to the operator without a stack. */
class Refusal extends Error {}

/** The gas of the two deployments, with room. */
const GAS_MARGIN_PERCENT = 130n

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? firstLines(error) : error)
  process.exit(1)
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { verify: { type: 'boolean' }, record: { type: 'string' } } })
  const settings = readSettings(process.env)
  const { node, chainId } = await openNode(settings)
  const path = values.record ?? recordPath(chainId)
  const record = readRecord(path)
  if (record !== undefined && record.chainId !== chainId) {
    throw new Refusal(`${path} is of chain ${record.chainId}, but the node serves chain ${chainId}.`)
  }
  const configured = fromSettings(settings, chainId)
  const deployment = values.verify
    ? (configured ?? record)
    : await deploy(node, chainId, path, { record, configured, rpcUrl: settings.chainRpcUrl })
  if (deployment?.runner === undefined) {
    throw new Refusal(`There is nothing to verify: neither REGISTRY_ADDRESS and RUNNER_ADDRESS nor ${path}.`)
  }
  const { registry, runner, deploymentBlock } = deployment
  const problems = await verifyDeployment(node, { registry, runner })
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
  console.log(`Both contracts on chain ${chainId} are those of this version, byte for byte.`)
  if (!values.verify && deployment !== configured) console.log(`Written down in ${path}.`)
  console.log('The settings of the site and the worker:\n')
  console.log(`CHAIN_ID=${chainId}`)
  console.log(`REGISTRY_ADDRESS=${checksumAddress(registry)}`)
  console.log(`RUNNER_ADDRESS=${checksumAddress(runner)}`)
  if (deploymentBlock >= 0) console.log(`DEPLOYMENT_BLOCK=${deploymentBlock}`)
}

async function openNode({ chainRpcUrl, chainId: wanted }: Settings) {
  if (chainRpcUrl === undefined) throw new Refusal('CHAIN_RPC_URL is missing: set it to a node of the chain.')
  const node = createPublicClient({ transport: http(chainRpcUrl), pollingInterval: 500 })
  const chainId = await node.getChainId().catch((error: Error) => {
    throw new Refusal(`The node that CHAIN_RPC_URL names does not answer as one: ${firstLines(error)}`)
  })
  if (wanted === undefined) {
    throw new Refusal(
      `CHAIN_ID is missing: the node serves chain ${chainId}. Set CHAIN_ID=${chainId} if that is the one you mean.`,
    )
  }
  if (wanted !== chainId) throw new Refusal(`CHAIN_ID is ${wanted}, but the node serves chain ${chainId}.`)
  return { node, chainId }
}

function fromSettings(settings: Settings, chainId: number): DeploymentRecord | undefined {
  const { registryAddress: registry, runnerAddress: runner, deploymentBlock = -1 } = settings
  return registry && runner ? { chainId, registry, runner, deploymentBlock } : undefined
}

interface Known {
  readonly record: DeploymentRecord | undefined
  readonly configured: DeploymentRecord | undefined
  readonly rpcUrl: string | undefined
}

/** What is on the chain already stays; what is missing is deployed. */
async function deploy(
  node: Deployer['publicClient'],
  chainId: number,
  path: string,
  { record, configured, rpcUrl }: Known,
): Promise<DeploymentRecord> {
  if (configured?.runner !== undefined) {
    const { registry, runner } = configured
    if ((await verifyDeployment(node, { registry, runner })).length === 0) {
      console.log('Those that the settings name are deployed.')
      return configured
    }
  }
  if (record?.runner !== undefined) {
    console.log(`${path} says that they are deployed: checking them. Move the file away to deploy others.`)
    return record
  }
  const account = privateKeyToAccount(deployerKey())
  const deployer = {
    account,
    walletClient: createWalletClient({ account, transport: http(rpcUrl) }),
    publicClient: node,
  }
  await requireFunds(deployer, record)
  let begun = record
  if (begun === undefined) {
    console.log(`Deploying the registry to chain ${chainId} from ${account.address} …`)
    const { address, blockNumber } = await deployRegistry(deployer)
    begun = { chainId, registry: address, deploymentBlock: Number(blockNumber) }
    writeJson(path, begun)
  }
  console.log(`Deploying the runner for the registry ${checksumAddress(begun.registry)} …`)
  const { address: runner } = await deployRunner(deployer, begun.registry)
  const whole = { chainId, registry: begun.registry, runner, deploymentBlock: begun.deploymentBlock }
  writeJson(path, whole)
  if (configured !== undefined && (configured.registry !== whole.registry || configured.runner !== runner)) {
    console.error('REGISTRY_ADDRESS and RUNNER_ADDRESS of the settings are others: change them to these.')
  }
  return whole
}

function deployerKey(): Hex {
  const key = process.env.DEPLOYER_PRIVATE_KEY?.trim() ?? ''
  const prefixed = key.startsWith('0x') ? key : `0x${key}`
  if (!isHex(prefixed) || prefixed.length !== 66) {
    throw new Refusal(
      key === ''
        ? 'DEPLOYER_PRIVATE_KEY is missing: the key of an account with a little of the chain’s currency. It gets no rights.'
        : 'DEPLOYER_PRIVATE_KEY is no private key: 32 bytes as hex.',
    )
  }
  return prefixed
}

/** Says so before anything is spent when the account cannot pay for all of it. */
async function requireFunds(
  { account, publicClient }: Deployer,
  record: DeploymentRecord | undefined,
): Promise<void> {
  const from = account.address
  const runnerFor = record?.registry ?? from
  const [balance, price, ...gas] = await Promise.all([
    publicClient.getBalance({ address: from }),
    publicClient.getGasPrice(),
    record === undefined ? creationGas(registryCreation()) : 0n,
    creationGas(runnerCreation(runnerFor)),
  ])
  const needed = gas.reduce((sum, each) => sum + each, 0n)
  const cost = (needed * price * GAS_MARGIN_PERCENT) / 100n
  console.log(`About ${needed} gas, ${formatEther(needed * price)} at the present price.`)
  if (balance < cost) {
    throw new Refusal(
      `${from} has ${formatEther(balance)}, and should have ${formatEther(cost)}: fund it first.`,
    )
  }

  function creationGas(data: Hex): Promise<bigint> {
    return publicClient.estimateGas({ account: from, data })
  }
}

/** Of a library's error the line that says what happened; never its request, which may hold a key in the URL. */
function firstLines(error: Error): string {
  return error instanceof Refusal ? error.message : (error.message.split('\n')[0] ?? '')
}
