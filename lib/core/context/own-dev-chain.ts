import type { ChainAccess } from '#lib/chain/access.ts'
import type { Config } from '#lib/platform/config.ts'
import { nodeUrls } from '#lib/platform/config-checks.ts'
import { isDevChainId, isLoopback } from '#lib/protocol/dev-chain.ts'

/** Configuration and chain of a process. */
export interface ChainServices {
  readonly config: Config
  /** Undefined without a configured chain. */
  readonly chain: ChainAccess | undefined
}

/**
 * Whether the site may mine, reorg and fund accounts: the chain id is a development one, node and site are on loopback
 * addresses, and `DEV_PANEL` is not false.
 */
export function isOurDevChain({ config }: Pick<ChainServices, 'config'>, chainId: number | null): boolean {
  return mayBeOurDevChain({ config }) && chainId !== null && isDevChainId(chainId)
}

/** The part of `isOurDevChain` that needs no chain id. */
export function mayBeOurDevChain({ config }: Pick<ChainServices, 'config'>): boolean {
  const { devPanel, chainRpcUrl, siteOrigin, host, trustedProxies } = config
  return (
    devPanel &&
    chainRpcUrl !== undefined &&
    nodeUrls(chainRpcUrl).every((url) => isLoopback(new URL(url).hostname)) &&
    isLoopback(new URL(siteOrigin).hostname) &&
    isLoopback(host) &&
    trustedProxies === 0
  )
}
