import type { Services } from '#lib/core/context/context.ts'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import { repeat } from '#lib/platform/repeat.ts'

const INTERVAL_MS = 60 * 60_000
const RETRY_MS = 60_000
/** Time for which a still waits for the publication of its piece, or for a piece that a reorg removed to come back. */
const WAITING_MS = 30 * 24 * 60 * 60_000

/** Collects stills until the signal. Logs failures and retries. */
export async function collectStills(
  { config, log, clock }: Pick<Services, 'config' | 'log' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const db = createDatabase(config.databaseUrl, { max: 1 })
  const onFailure = { log, message: 'Failed to delete pictures of pieces, retrying', retryMs: RETRY_MS }
  await repeat(signal, onFailure, async () => {
    await deleteUnpublishedStills({ db, clock })
    return INTERVAL_MS
  })
  await db.close()
}

/**
 * Deletes the stills of pieces that were not published for `WAITING_MS`, and notes since when others are not. Idempotent.
 *
 * @returns how many were deleted.
 */
export async function deleteUnpublishedStills({
  db: { sql },
  clock,
}: Pick<Services, 'clock'> & { readonly db: Pick<Database, 'sql'> }): Promise<number> {
  const now = clock()
  const published = sql`exists (
    select from entities e where e.kind = 'connector' and e.name = s.name and e.content_hash = s.content_hash
      and e.owner = s.owner)`
  await sql`
    update piece_stills s set unpublished_since = case when ${published} then null else ${now.toISOString()}::timestamptz end
    where ${published} <> (unpublished_since is null)`
  const deleted = await sql`
    delete from piece_stills s
    where unpublished_since <= ${new Date(now.getTime() - WAITING_MS).toISOString()} and not ${published}`
  return deleted.count
}
