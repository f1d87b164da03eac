import type { PublicClient } from 'viem'
import { readProvider } from '../chain/provider.ts'
import type { Services } from '../context.ts'

const DEV_CHAIN_IDS: readonly number[] = [1337, 31_337]
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Blocks that one request may mine or replace. */
export const MAX_DEV_BLOCKS = 64

/**
 * Whether people may push the configured chain around from the site: only a development chain, by its id, on this
 * machine, by its address, and unless the configuration says no.
 */
export function isOurDevChain({ config }: Pick<Services, 'config'>, chainId: number | null): boolean {
  if (!config.devPanel || config.chainRpcUrl === undefined) return false
  if (!LOOPBACK.includes(new URL(config.chainRpcUrl).hostname)) return false
  return chainId !== null && DEV_CHAIN_IDS.includes(chainId)
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
  if (ctx.chain === undefined || !isOurDevChain(ctx, ctx.config.chainId ?? DEV_CHAIN_IDS[0]!))
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
