import { createPublicClient, createWalletClient, defineChain, http } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { z } from 'zod'
import { deployContracts } from '../../lib/chain/deploy.ts'
import { isDevChainId } from '../../lib/domain/dev-chain.ts'
import type { Address } from '../../lib/domain/entity.ts'
import { readJson, writeJson } from './files.ts'

const contractsSchema = z.object({
  chainId: z.number(),
  registry: z.string().regex(/^0x[0-9a-f]{40}$/),
  runner: z.string().regex(/^0x[0-9a-f]{40}$/),
  deploymentBlock: z.number(),
})

export interface Contracts {
  readonly chainId: number
  readonly registry: Address
  readonly runner: Address
  readonly deploymentBlock: number
  /** False when they were there already. */
  readonly deployed: boolean
}

const DEV_MNEMONIC = 'test test test test test test test test test test test junk'
/** The last one, so that people who take the first accounts find them untouched. */
const DEPLOYER_INDEX = 9

/** Dev account `index` of anvil and its kin; its key is public knowledge. */
export function devAccount(index: number) {
  return mnemonicToAccount(DEV_MNEMONIC, { addressIndex: index })
}

/**
 * The two contracts of the chain at `rpcUrl`: those configured, else those remembered in `file`, else new ones.
 * @throws Error when configured contracts are not there, or when new ones would be needed on a chain that is not for development.
 */
export async function findContracts(
  rpcUrl: string,
  file: string,
  configured:
    | { readonly registry: Address; readonly runner: Address; readonly deploymentBlock: number }
    | undefined,
): Promise<Contracts> {
  const probe = createPublicClient({ transport: http(rpcUrl) })
  const chainId = await probe.getChainId()
  const exist = async (addresses: readonly Address[]): Promise<boolean> => {
    const codes = await Promise.all(addresses.map((address) => probe.getCode({ address })))
    return codes.every((code) => code !== undefined && code !== '0x')
  }
  if (configured) {
    if (!(await exist([configured.registry, configured.runner]))) {
      throw new Error(
        `REGISTRY_ADDRESS or RUNNER_ADDRESS: there is no contract at that address on chain ${chainId} (${rpcUrl}).`,
      )
    }
    return { chainId, ...configured, deployed: false }
  }
  const kept = contractsSchema.safeParse(readJson(file))
  if (kept.success && kept.data.chainId === chainId) {
    const registry = kept.data.registry as Address
    const runner = kept.data.runner as Address
    if (await exist([registry, runner])) return { ...kept.data, registry, runner, deployed: false }
  }
  if (!isDevChainId(chainId)) {
    throw new Error(
      `REGISTRY_ADDRESS and RUNNER_ADDRESS are missing: CHAIN_RPC_URL serves chain ${chainId}, where contracts are not deployed unasked.`,
    )
  }
  const chain = defineChain({
    id: chainId,
    name: 'Development chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const account = devAccount(DEPLOYER_INDEX)
  const transport = http(rpcUrl)
  const { registry, runner, blockNumber } = await deployContracts({
    account,
    walletClient: createWalletClient({ chain, transport, account }),
    publicClient: createPublicClient({ chain, transport, pollingInterval: 50 }),
  })
  const contracts = {
    chainId,
    registry: registry.toLowerCase() as Address,
    runner: runner.toLowerCase() as Address,
    deploymentBlock: Number(blockNumber),
  }
  writeJson(file, contracts)
  return { ...contracts, deployed: true }
}
