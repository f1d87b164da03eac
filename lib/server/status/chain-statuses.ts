import type { Services } from '#lib/core/context/context.ts'
import { chainTitle } from '#lib/platform/further-chains.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { readStatus, type Status, type StatusServices } from './read-status.ts'

/** Status of a further chain of the site. */
export interface ChainStatus {
  readonly chainId: number
  readonly name: string
  readonly status: Status
}

/** Reads the status of each further chain; one that cannot be read is degraded, with the reason. Never throws. */
export function readChainStatuses(
  ctx: StatusServices & Partial<Pick<Services, 'chains'>>,
): Promise<readonly ChainStatus[]> {
  const { chains, config, clock } = ctx
  if (chains === undefined) return Promise.resolve([])
  return Promise.all(
    config.furtherChains.map(async ({ chainId, chainName }): Promise<ChainStatus> => {
      const name = chainTitle(chainId, chainName)
      try {
        // Without pools and streams, which are those of the process.
        const { db, config, clock, chain, log } = await chains.on(chainId)
        return { chainId, name, status: await readStatus({ db, config, clock, chain, log }) }
      } catch (error) {
        if (!(error instanceof Failure))
          ctx.log.warn({ err: error, chain: chainId }, 'Failed to open a chain')
        const sentence = error instanceof Failure ? error.message : 'The tables of this chain cannot be read.'
        const fix = 'Start its worker, and check that the database answers.'
        const degraded = [{ code: 'chain_not_open', sentence, fix }]
        const empty = { feed: null, pendingMigrations: null, nodes: [], sponsor: null }
        return { chainId, name, status: { checkedAtMs: clock().getTime(), ...empty, degraded } }
      }
    }),
  )
}
