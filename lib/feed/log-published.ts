import type { Logger } from 'pino'
import type { Occurrence } from './occurrence.ts'
import type { Writer } from './writer.ts'

/** More at once is the past being read, which no request waits for. */
const MOST = 50

/**
 * Logs what was read from the chain, in the name of the request that set out to publish it where that was one to this
 * server. Never rejects: it is only the log.
 */
export const logPublished = async (
  writer: Pick<Writer, 'transaction'>,
  log: Logger,
  occurrences: readonly Occurrence[],
): Promise<void> => {
  if (occurrences.length > MOST) {
    log.info({ publications: occurrences.length }, 'publications were read from the chain')
    return
  }
  const events = occurrences.map(({ event }) => event)
  const known = await writer
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
  const requests = new Map(known.map(({ key, requestId }) => [key, requestId]))
  for (const { event, log: found } of occurrences) {
    const { kind, name, owner, contentHash } = event
    const requestId = requests.get(`${kind}/${name}/${owner}/${contentHash}`)
    const where = { block: found.blockNumber, txHash: found.txHash }
    log.info({ kind, name, ...where, ...(requestId !== undefined && { requestId }) }, 'published')
  }
}
