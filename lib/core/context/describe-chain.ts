import { passkeyFactory } from '#lib/chain/passkey-factory.ts'
import type { Config } from '#lib/platform/config.ts'
import { nodeUrls } from '#lib/platform/config-checks.ts'
import { chainFacts } from '#lib/protocol/chains.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { Context } from './context.ts'
import { type ChainServices, isOurDevChain } from './own-dev-chain.ts'
import { verifiedChain } from './verified-chain.ts'

/** Description of the configured chain for wallets. */
export interface DescribedChain {
  readonly id: number
  readonly name: string
  /** Symbol of the currency that pays for gas. */
  readonly currency: string
  /** RPC URL for browsers; undefined where only the server has one. */
  readonly rpcUrl: string | undefined
  /** Without a slash at the end. */
  readonly explorerUrl: string | undefined
  /** A development chain on this machine: its coins are worth nothing, so a key in a browser may hold them. */
  readonly development: boolean
  /** Contract that creates accounts of passkeys; undefined where the chain lacks it. */
  readonly passkeyFactory: Address | undefined
}

/**
 * Describes the configured chain. The server's own RPC URL is only part of it for a development chain, because such
 * URLs often contain a key.
 *
 * @returns undefined when no chain is configured.
 * @throws Failure('chain_unavailable') until its node answered once.
 */
export async function describeChain(ctx: ChainServices): Promise<DescribedChain | undefined> {
  const { config } = ctx
  if (ctx.chain === undefined) return undefined
  const chain = await verifiedChain(ctx)
  const id = chain.chainId
  const facts = chainFacts(id)
  const development = isOurDevChain(ctx, id)
  return {
    id,
    name: config.chainName ?? facts.name,
    currency: config.chainCurrency ?? facts.currency,
    rpcUrl: browserRpcUrl(config, id),
    explorerUrl: config.explorerUrl ?? facts.explorers[0],
    development,
    passkeyFactory: await passkeyFactory(chain),
  }
}

/** Returns the name of the site's chain without a request to a node; undefined before any is known. */
export async function chainName({ config, db }: Pick<Context, 'config' | 'db'>): Promise<string | undefined> {
  if (config.chainName !== undefined) return config.chainName
  const id = config.chainId ?? (await followedChainId(db))
  return id === undefined ? undefined : chainFacts(id).name
}

async function followedChainId({ sql }: Context['db']): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`select chain_id::float8 as id from worker_state`
  return row?.id
}

/**
 * Returns the RPC URL for browsers: the configured one, or that of the development chain.
 *
 * @param chainId Of the node or the configuration.
 */
export function browserRpcUrl(config: Config, chainId: number | undefined): string | undefined {
  if (config.publicRpcUrl !== undefined) return config.publicRpcUrl
  return isOurDevChain({ config }, chainId ?? null) ? nodeUrls(config.chainRpcUrl ?? '')[0] : undefined
}
