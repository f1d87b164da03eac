import type { Config } from '../config.ts'
import { isOurDevChain } from './dev-chain.ts'

/**
 * Where browsers may reach the chain: what the configuration names, or the development chain itself. The address the
 * server uses is told nowhere else, as it often carries a key.
 *
 * @param chainId As the node or the configuration tells it.
 */
export function browserRpcUrl(config: Config, chainId: number | undefined): string | undefined {
  if (config.publicRpcUrl !== undefined) return config.publicRpcUrl
  return isOurDevChain({ config }, chainId ?? null) ? config.chainRpcUrl : undefined
}
