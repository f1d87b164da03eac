import { Failure } from '../../domain/failure.ts'
import { type DescribedChain, describeChain } from '../../publication/describe-chain.ts'
import type { SessionAction } from './call.ts'

/**
 * GET /session/network: what a page must know to talk to wallets. `chain` is null while no chain is configured or its
 * node does not answer: signing in works all the same.
 */
export const describeNetwork: SessionAction = async ({ ctx }) => {
  const { config } = ctx
  const chain = await reachable(ctx)
  return {
    status: 200,
    body: {
      site_origin: config.siteOrigin,
      chain: chain === undefined ? null : chainWire(chain),
      chain_ids: config.allowedChainIds,
      publication: config.publicationEnabled && ctx.chain !== undefined,
      wallet_connect: config.walletConnectProjectId ?? null,
    },
  }
}

async function reachable(ctx: Parameters<typeof describeChain>[0]): Promise<DescribedChain | undefined> {
  try {
    return await describeChain(ctx)
  } catch (error) {
    if (error instanceof Failure && error.code === 'chain_unavailable') return undefined
    throw error
  }
}

function chainWire({ id, name, rpcUrl, explorerUrl, development }: DescribedChain) {
  return { id, name, rpc_url: rpcUrl ?? null, explorer_url: explorerUrl ?? null, development }
}
