import type { PublicClient } from 'viem'
import { readProvider } from '../chain/provider.ts'
import type { Services } from '../context.ts'
import { isDevChainId, isLoopback } from '../domain/dev-chain.ts'

/** Blocks that one request may mine or replace. */
export const MAX_DEV_BLOCKS = 64

/**
 * Whether the configured chain is a development chain of this machine that the site may mine, reorganise and fund
 * from: by its id, with node and site both on loopback addresses, and unless the configuration says no.
 */
export function isOurDevChain({ config }: Pick<Services, 'config'>, chainId: number | null): boolean {
  return mayBeOurDevChain({ config }) && chainId !== null && isDevChainId(chainId)
}

/** By the configuration alone, before the node has reported its id. */
function mayBeOurDevChain({ config }: Pick<Services, 'config'>): boolean {
  const { devPanel, chainRpcUrl, siteOrigin, host, trustedProxies } = config
  return (
    devPanel &&
    chainRpcUrl !== undefined &&
    isLoopback(new URL(chainRpcUrl).hostname) &&
    isLoopback(new URL(siteOrigin).hostname) &&
    isLoopback(host) &&
    trustedProxies === 0
  )
}

/**
 * A client for the development chain, after the node itself has told its id; undefined on every other chain.
 *
 * @throws Failure('chain_unavailable') when it does not answer.
 */
export async function openDevChain(
  ctx: Pick<Services, 'chain' | 'config'>,
): Promise<PublicClient | undefined> {
  // Asked of a chain that is certainly not ours, a node far away would learn of it.
  const { chainId } = ctx.config
  if (ctx.chain === undefined || !mayBeOurDevChain(ctx) || (chainId !== undefined && !isDevChainId(chainId)))
    return undefined
  await ctx.chain.verify()
  return isOurDevChain(ctx, ctx.chain.chainId) ? ctx.chain.public : undefined
}

/** A request outside viem's list of methods. @throws Failure('chain_unavailable') */
export async function askNode(
  client: PublicClient,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  return readProvider(`run ${method} on the development chain`, () =>
    client.request({ method: method as 'eth_chainId', params: params as never }),
  )
}
