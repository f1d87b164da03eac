import type { Services } from '../context.ts'
import { browserRpcUrl } from '../dev-chain/browser-rpc.ts'
import { isOurDevChain } from '../dev-chain/dev-chain.ts'

/** The chain of this server, as wallets and their owners want it described. */
export interface DescribedChain {
  readonly id: number
  readonly name: string
  /** Where a browser reaches it; undefined where only the server knows a way. */
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
 * Describes the configured chain by what its node and the configuration say. The address the server itself uses is
 * told only where it is of no use to strangers: it often carries a key.
 *
 * @returns undefined when no chain is configured.
 * @throws Failure('chain_unavailable') while its node has not been heard.
 */
export async function describeChain(
  ctx: Pick<Services, 'chain' | 'config'>,
): Promise<DescribedChain | undefined> {
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
