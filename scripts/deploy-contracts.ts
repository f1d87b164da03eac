import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPublicClient, createWalletClient, formatEther, http, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { z } from 'zod'
import { type Deployer, NoCreate2Deployer } from '#lib/chain/create2-deployer.ts'
import { contractAddresses, deployContracts, deploymentBlock, missingContracts } from '#lib/chain/deploy.ts'
import { readSettings } from '#lib/features/config.ts'
import { contractSubmissions, submitToSourcify, verifierSettings } from '#lib/features/verifier/index.ts'
import type { Settings } from '#lib/platform/config.ts'
import { nodeUrls } from '#lib/platform/config-checks.ts'
import { checksumAddress } from '#lib/protocol/address.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { verifierInputs } from './contracts/compile.ts'
import { verifyDeployment } from './contracts/verify-deployment.ts'
import { contractsSchema } from './stack/contracts-file.ts'
import { readJson, writeJson } from './stack/files.ts'

/**
 * Deploys the contracts to a chain, or checks those that are there: `npm run contracts:deploy`, `-- --verify`.
 *
 * CHAIN_RPC_URL and CHAIN_ID name the chain; DEPLOYER_PRIVATE_KEY, from the environment only, pays. The addresses are
 * the same on every chain: what is there already is not deployed again. Where the chain lacks the deterministic
 * deployment proxy, `--create-deployer` deploys that as well.
 */

/** The deployment record of one chain, as stored in the project. */
type DeploymentRecord = z.infer<typeof contractsSchema>

/** An error for the operator, printed without a stack. */
class Refusal extends Error {}

/** The estimated gas of the deployments, with headroom. */
const GAS_MARGIN_PERCENT = 130n

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? firstLines(error) : error)
  process.exit(1)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      verify: { type: 'boolean' },
      record: { type: 'string' },
      'create-deployer': { type: 'boolean' },
    },
  })
  const settings = readSettings(process.env)
  const { node, chainId } = await openNode(settings)
  const path = values.record ?? recordPath(chainId)
  const record = readRecord(path)
  if (record !== undefined && record.chainId !== chainId) {
    throw new Refusal(`${path} is of chain ${record.chainId}, but the node serves chain ${chainId}.`)
  }
  const deployment = values.verify
    ? (fromSettings(settings, chainId) ?? record ?? { chainId, ...contractAddresses(), deploymentBlock: -1 })
    : await deploy(
        node,
        chainId,
        record,
        nodeUrls(settings.chainRpcUrl ?? '')[0],
        values['create-deployer'] ?? false,
      )
  const { registry, runner, deploymentBlock } = deployment
  const problems = await verifyDeployment(node, { registry, runner })
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
  console.log(`Both contracts on chain ${chainId} are those of this version, byte for byte.`)
  if (values.verify) {
    await submit(
      deployment,
      verifierSettings.of(settings).sourcifyUrl,
      path.replace(/(\.json)?$/, '.verified.json'),
    )
  } else {
    writeJson(path, deployment)
    console.log(`Written to ${path}.`)
  }
  console.log('The settings of the site and the worker:\n')
  console.log(`CHAIN_ID=${chainId}`)
  console.log(`REGISTRY_ADDRESS=${checksumAddress(registry)}`)
  console.log(`RUNNER_ADDRESS=${checksumAddress(runner)}`)
  if (deploymentBlock >= 0) console.log(`DEPLOYMENT_BLOCK=${deploymentBlock}`)
}

/** Submits the contracts to Sourcify where a server is set, and stores its answers. */
async function submit(deployment: DeploymentRecord, url: string | undefined, path: string): Promise<void> {
  if (url === undefined) return
  const { chainId } = deployment
  const inputs = verifierInputs(join(import.meta.dirname, '..'))
  const verdicts = await submitToSourcify(contractSubmissions(chainId, deployment, inputs), url)
  for (const { contract, match, words } of verdicts) {
    console.log(`Sourcify, ${contract}: ${match === 'none' ? 'no match' : match} (it says: ${words})`)
  }
  writeJson(path, { chainId, at: new Date().toISOString(), verdicts })
  console.log(`Written to ${path}.`)
}

async function openNode({ chainRpcUrl, chainId: configuredChainId }: Settings) {
  if (chainRpcUrl === undefined) throw new Refusal('CHAIN_RPC_URL is missing: set it to a node of the chain.')
  const node = createPublicClient({ transport: http(nodeUrls(chainRpcUrl)[0]), pollingInterval: 500 })
  const chainId = await node.getChainId().catch((error: Error) => {
    throw new Refusal(`The node that CHAIN_RPC_URL names does not answer as one: ${firstLines(error)}`)
  })
  if (configuredChainId === undefined) {
    throw new Refusal(
      `CHAIN_ID is missing: the node serves chain ${chainId}. Set CHAIN_ID=${chainId} if that is the one you mean.`,
    )
  }
  if (configuredChainId !== chainId)
    throw new Refusal(`CHAIN_ID is ${configuredChainId}, but the node serves chain ${chainId}.`)
  return { node, chainId }
}

function fromSettings(settings: Settings, chainId: number): DeploymentRecord | undefined {
  const { registryAddress: registry, runnerAddress: runner, deploymentBlock = -1 } = settings
  return registry && runner ? { chainId, registry, runner, deploymentBlock } : undefined
}

/** Deploys what is missing. */
async function deploy(
  node: Deployer['publicClient'],
  chainId: number,
  record: DeploymentRecord | undefined,
  rpcUrl: string | undefined,
  createDeployer: boolean,
): Promise<DeploymentRecord> {
  const { registry, runner } = contractAddresses()
  const missing = await missingContracts(node)
  if (missing.length === 0) {
    console.log('All contracts are already deployed.')
  } else {
    const account = privateKeyToAccount(deployerKey())
    const walletClient = createWalletClient({ account, transport: http(rpcUrl) })
    const deployer = { account, walletClient, publicClient: node }
    await requireFunds(
      deployer,
      missing.map(({ creation }) => creation),
    )
    console.log(`Deploying to chain ${chainId} from ${account.address} …`)
    await deployContracts(deployer, { createDeployer })
  }
  const block = record?.registry === registry ? record.deploymentBlock : await deploymentBlock(node, registry)
  if (block === undefined) {
    console.error(
      'The node keeps no states of old blocks, so the block of the deployment is unknown: set DEPLOYMENT_BLOCK to it; 0 reads the whole chain.',
    )
  }
  return { chainId, registry, runner, deploymentBlock: Number(block ?? 0) }
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

/** @throws Refusal before anything is spent when the account cannot pay for all of it. */
async function requireFunds({ account, publicClient }: Deployer, creations: readonly Hex[]): Promise<void> {
  const from = account.address
  const [balance, price, ...gas] = await Promise.all([
    publicClient.getBalance({ address: from }),
    publicClient.getGasPrice(),
    ...creations.map((data) => publicClient.estimateGas({ account: from, data })),
  ])
  const needed = gas.reduce((sum, each) => sum + each, 0n)
  const cost = (needed * price * GAS_MARGIN_PERCENT) / 100n
  console.log(`About ${needed} gas, ${formatEther(needed * price)} at the current price.`)
  if (balance < cost) {
    throw new Refusal(
      `${from} has ${formatEther(balance)}, and should have ${formatEther(cost)}: fund it first.`,
    )
  }
}

/** The first line of a library's error; never its request, which may hold a key in the URL. */
function firstLines(error: Error): string {
  if (error instanceof NoCreate2Deployer)
    return `${error.message} With --create-deployer it is deployed first.`
  return error instanceof Refusal ? error.message : (error.message.split('\n')[0] ?? '')
}

/** Default path of a chain's record. */
function recordPath(chainId: number): string {
  return `deploy/chains/${chainId}.json`
}

/** @throws Error when there is a file that is no record. */
function readRecord(path: string): DeploymentRecord | undefined {
  if (!existsSync(path)) return undefined
  const parsed = contractsSchema.safeParse(readJson(path))
  if (!parsed.success) throw new Error(`${path} is not a record of a deployment: move it away first.`)
  return parsed.data
}
