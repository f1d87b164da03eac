import type { Account, Chain, HttpTransport, PublicClient, WalletClient } from 'viem'
import { createPublicClient, createWalletClient, http } from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'
import { type AnvilNode, type AnvilOptions, rpc, startAnvil } from '#scripts/stack/anvil.ts'
import { devChain } from '#scripts/stack/dev-chain.ts'
import { anyFreePort } from '#scripts/stack/ports.ts'
import { shared } from './database.ts'
import type { SharedChain } from './shared-services.ts'

export interface TestChain {
  readonly url: string
  readonly chainId: number
  readonly registry: `0x${string}`
  readonly runner: `0x${string}`
  readonly deploymentBlock: number
  readonly publicClient: PublicClient<HttpTransport, Chain>
  /** A client that signs with dev account `index`, 0 to 9; number 9 deployed the contracts. */
  wallet(index: number): WalletClient<HttpTransport, Chain, Account>
  /** Any JSON-RPC method, for instance `anvil_reorg`. */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>
  close(): Promise<void>
}

const devAccounts = new Map<number, HDAccount>()

/** The well-known account `index` of anvil, funded on every development chain; derived once, which is slow on purpose. */
export function devAccount(index: number): HDAccount {
  const known = devAccounts.get(index)
  if (known !== undefined) return known
  const account = mnemonicToAccount('test test test test test test test test test test test junk', {
    addressIndex: index,
  })
  devAccounts.set(index, account)
  return account
}

interface ChainOptions {
  readonly slotsInAnEpoch?: number
  readonly chainId?: number
}

const ATTEMPTS = 3

/** Starts a node on a port that was free a moment ago: another process may have taken it since. */
async function startOnFreePort(options: Omit<AnvilOptions, 'port'>): Promise<AnvilNode> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startAnvil({ ...options, port: await anyFreePort() })
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
}

/** A chain of the caller's own with the contracts already on it: other test files cannot disturb it. */
export async function testChain(options: ChainOptions = {}): Promise<TestChain> {
  const { inject } = await import('vitest')
  const address = inject('sharedServices')
  const { stateFile, registry, runner, deploymentBlock } = await shared<SharedChain>(address, 'chain')
  const chain = { ...devChain, id: options.chainId ?? devChain.id }
  const node = await startOnFreePort({ ...options, loadState: stateFile })
  const transport = http(node.url)
  return {
    url: node.url,
    chainId: chain.id,
    registry,
    runner,
    deploymentBlock,
    publicClient: createPublicClient({ chain, transport, pollingInterval: 20 }),
    wallet: (index) => createWalletClient({ chain, transport, account: devAccount(index) }),
    rpc: (method, params) => rpc(node.url, method, params),
    close: () => node.stop(),
  }
}
