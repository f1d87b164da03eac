import type { Logger } from 'pino'
import type { ChainAccess } from '#lib/chain/access.ts'
import type { Services } from '#lib/core/context/context.ts'
import { chainSource, finalityDepths } from './chain-source.ts'
import type { Occurrence } from './occurrence.ts'
import { paceOf } from './pace.ts'
import { createPause } from './pause.ts'
import { openLogRange } from './request-size.ts'
import type { FollowContext } from './state.ts'
import type { Writer } from './writer-lock.ts'

/** Services that the indexer uses. */
export type IndexerServices = Pick<Services, 'config' | 'chain' | 'clock' | 'log'>

/** Dependencies of `step` to follow a verified chain. Created once a process: the source learns which requests the node accepts. */
export function openFollow(
  { config, clock, log }: IndexerServices,
  chain: ChainAccess,
  writer: Pick<Writer, 'transaction'>,
): FollowContext {
  const nowMs = () => clock().getTime()
  return {
    source: chainSource(chain, finalityDepths(chain.chainId, config.worker), {
      everyMs: paceOf(chain.chainId).tagsMs,
      nowMs,
    }),
    writer,
    followed: {
      chainId: chain.chainId,
      registry: chain.registry,
      deploymentBlock: config.deploymentBlock ?? 0,
    },
    nowMs,
    pause: createPause(),
    range: openLogRange(chain.nodes.logRange),
    onPublished: (occurrences) => void logPublished(writer, log, occurrences),
    onUnverified: (names) => log.warn({ names }, 'Found publications without matching code on chain'),
  }
}

/** More publications in one batch are a backfill, which no request waits for. */
const MAX_LOGGED_PUBLICATIONS = 50

/** Logs indexed publications, with the id of the request to this server that prepared each. Never rejects. */
export async function logPublished(
  writer: Pick<Writer, 'transaction'>,
  log: Logger,
  occurrences: readonly Occurrence[],
): Promise<void> {
  if (occurrences.length > MAX_LOGGED_PUBLICATIONS) {
    log.info({ publications: occurrences.length }, 'Indexed publications')
    return
  }
  const events = occurrences.map(({ event }) => event)
  const requestRows = await writer
    .transaction(
      (sql) => sql<{ key: string; requestId: string }[]>`
        select concat_ws('/', kind, name, owner, content_hash) as key, request_id as "requestId"
        from unnest(${events.map(({ kind }) => kind)}::text[], ${events.map(({ name }) => name)}::text[],
          ${events.map(({ owner }) => owner)}::text[], ${events.map(({ contentHash }) => contentHash)}::text[])
          as read(kind, name, owner, content_hash)
        join publications using (kind, name, owner, content_hash)
        where request_id is not null`,
    )
    .catch(() => [])
  const requests = new Map(requestRows.map(({ key, requestId }) => [key, requestId]))
  for (const { event, log: registryLog } of occurrences) {
    const { kind, name, owner, contentHash } = event
    const requestId = requests.get(`${kind}/${name}/${owner}/${contentHash}`)
    const where = { block: registryLog.blockNumber, txHash: registryLog.txHash }
    log.info({ kind, name, ...where, ...(requestId !== undefined && { requestId }) }, 'Indexed a publication')
  }
}
