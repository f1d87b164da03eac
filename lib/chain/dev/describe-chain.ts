import type { Config } from '../../platform/config.ts'
import { type ChainServices, isOurDevChain } from './dev-chain.ts'

/** Description of the configured chain for wallets. */
export interface DescribedChain {
  readonly id: number
  readonly name: string
  /** RPC URL for browsers; undefined where only the server has one. */
  readonly rpcUrl: string | undefined
  /** Without a slash at the end. */
  readonly explorerUrl: string | undefined
  /** A development chain on this machine: its coins are worth nothing, so a key in a browser may hold them. */
  readonly development: boolean
}

const KNOWN: ReadonlyMap<number, { readonly name: string; readonly explorerUrl?: string }> = new Map([
  [1, { name: 'Ethereum', explorerUrl: 'https://etherscan.io' }],
  [11_155_111, { name: 'Sepolia', explorerUrl: 'https://sepolia.etherscan.io' }],
  [1337, { name: 'Development chain' }],
  [31_337, { name: 'Development chain' }],
])

/**
 * Describes the configured chain. The server's own RPC URL is only part of it for a development chain, because such
 * URLs often contain a key.
 *
 * @returns undefined when no chain is configured.
 * @throws Failure('chain_unavailable') until its node answered once.
 */
export async function describeChain(ctx: ChainServices): Promise<DescribedChain | undefined> {
  const { chain, config } = ctx
  if (chain === undefined) return undefined
  await chain.verify()
  const id = chain.chainId
  const known = KNOWN.get(id)
  const development = isOurDevChain(ctx, id)
  return {
    id,
    name: config.chainName ?? known?.name ?? `Chain ${id}`,
    rpcUrl: browserRpcUrl(config, id),
    explorerUrl: config.explorerUrl ?? known?.explorerUrl,
    development,
  }
}

/**
 * Returns the RPC URL for browsers: the configured one, or that of the development chain.
 *
 * @param chainId Of the node or the configuration.
 */
export function browserRpcUrl(config: Config, chainId: number | undefined): string | undefined {
  if (config.publicRpcUrl !== undefined) return config.publicRpcUrl
  return isOurDevChain({ config }, chainId ?? null) ? config.chainRpcUrl : undefined
}
