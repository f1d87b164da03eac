import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../context.ts'
import { createDatabase } from '../db/client.ts'
import { collectGarbage } from './collect-garbage.ts'
import { forgetPreviews } from './end-preview.ts'
import { openBlobStore } from './open-blob-store.ts'

const EVERY_MS = 10 * 60_000

/**
 * Deletes now and then what uploads that died left behind, so that it goes also when nobody uploads any more. Fails
 * never: what one round cannot do, the next one may.
 *
 * @param signal Ends it.
 */
export async function sweepGarbage(
  { config, log, clock }: Pick<Services, 'config' | 'log' | 'clock'>,
  signal: AbortSignal,
  everyMs = EVERY_MS,
): Promise<void> {
  const db = createDatabase(config.databaseUrl, { max: 1 })
  const blobs = openBlobStore(config)
  while (!signal.aborted) {
    try {
      await forgetPreviews({ db, clock })
      const collected = await collectGarbage({ db, blobs, clock })
      if (collected > 0) log.info({ collected }, 'deleted files of Worlds that nobody refers to')
    } catch (error) {
      log.warn({ err: error }, 'unused files of Worlds could not be deleted yet')
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
  await Promise.all([db.close(), blobs.close()])
}
