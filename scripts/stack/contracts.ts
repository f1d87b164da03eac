import { createPublicClient, createWalletClient, http, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import type { z } from 'zod'
import {
  type ContractAddresses,
  contractAddresses,
  deployContracts,
  missingContracts,
} from '#lib/chain/deploy.ts'
import { isDevChainId } from '#lib/protocol/dev-chain.ts'
import type { Address, Hex } from '#lib/protocol/entity.ts'
import { contractsSchema } from './contracts-file.ts'
import { devChain } from './dev-chain.ts'
import { readJson, writeJson } from './files.ts'

export interface Contracts extends Readonly<z.infer<typeof contractsSchema>> {
  /** False when they were there already. */
  readonly deployed: boolean
}

const DEV_MNEMONIC = 'test test test test test test test test test test test junk'
/** The last one: users take the first accounts. */
const DEPLOYER_INDEX = 9
/** Pays for publications. */
export const SPONSOR_INDEX = 8

/** Dev account `index` of anvil and its kin; its key is public knowledge. */
export function devAccount(index: number) {
  return mnemonicToAccount(DEV_MNEMONIC, { addressIndex: index })
}

export function devAccountKey(index: number): Hex {
  return toHex(devAccount(index).getHdKey().privateKey as Uint8Array)
}

export interface FindOptions {
  /** Where addresses are remembered. */
  readonly file: string
  /** Folder for the state of a built-in chain. */
  readonly chainFolder?: string
  readonly configured?: ContractAddresses & { readonly deploymentBlock: number }
}

/**
 * The two contracts of the chain at `rpcUrl`: those configured, else those of this version, which are deployed where
 * they are missing on a chain for development.
 *
 * @throws Error when configured contracts are not there, when the chain is not for development and lacks them, or when
 *   it is one that an earlier version deployed its contracts on.
 */
export async function findContracts(
  rpcUrl: string,
  { file, chainFolder, configured }: FindOptions,
): Promise<Contracts> {
  const transport = http(rpcUrl)
  const probe = createPublicClient({ transport })
  const chainId = await probe.getChainId()
  const exist = async ({ registry, runner }: ContractAddresses): Promise<boolean> => {
    const codes = await Promise.all([registry, runner].map((address) => probe.getCode({ address })))
    return codes.every((code) => code !== undefined && code !== '0x')
  }
  if (configured) {
    if (!(await exist(configured))) {
      throw new Error(
        `REGISTRY_ADDRESS or RUNNER_ADDRESS: there is no contract at that address on chain ${chainId} (${rpcUrl}).`,
      )
    }
    return { chainId, ...configured, deployed: false }
  }
  const ours = contractAddresses()
  const stored = contractsSchema.safeParse(readJson(file)).data
  const ownContracts = stored?.chainId === chainId && (await exist(stored)) ? stored : undefined
  if (ownContracts !== undefined && ownContracts.registry !== ours.registry) {
    throw new Error(earlierVersion(rpcUrl, ownContracts.registry, file, chainFolder))
  }
  const complete = !isDevChainId(chainId) || (await missingContracts(probe)).length === 0
  if (ownContracts !== undefined && complete) return { ...ownContracts, deployed: false }
  if (!isDevChainId(chainId)) {
    throw new Error(
      `REGISTRY_ADDRESS and RUNNER_ADDRESS are missing: CHAIN_RPC_URL serves chain ${chainId}, where contracts are not deployed unasked.`,
    )
  }
  const chain = { ...devChain, id: chainId }
  const account = devAccount(DEPLOYER_INDEX)
  const { registry, runner, blockNumber, deployed } = await deployContracts({
    account,
    walletClient: createWalletClient({ chain, transport, account }),
    publicClient: createPublicClient({ chain, transport, pollingInterval: 50 }),
  })
  const contracts = { chainId, registry, runner, deploymentBlock: Number(blockNumber ?? 0n) }
  writeJson(file, contracts)
  return { ...contracts, deployed }
}

/** The contracts of two versions differ, and so do their addresses. */
function earlierVersion(
  rpcUrl: string,
  registry: Address,
  file: string,
  chainFolder: string | undefined,
): string {
  const moves = [chainFolder, file].flatMap((path) => (path === undefined ? [] : `  mv ${path} ${path}.old`))
  return [
    `The chain at ${rpcUrl} has the contracts of an earlier version of Weft (registry ${registry}), which this version does not read.`,
    'Nothing was deleted. To go on with this version and its own contracts, move the old ones out of its way and start again:',
    ...moves,
    'Drafts, profiles and Worlds stay. What was published on the old contracts is no longer shown: publish it again.',
    'To go on with the old contracts, start the version of Weft that deployed them.',
  ].join('\n')
}
