import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../context.ts'

/** What stands behind the public reads, in parts that change as one. */
type Scope = 'drafts' | 'entities' | 'feed'

/**
 * For each part a text that is another one after every committed change of it, whichever process made it: triggers
 * write it in the transaction of the change. What is read after this is at least as new as the texts say.
 */
export async function readStamps({ db }: Pick<Services, 'db'>): Promise<Record<Scope, string>> {
  const rows = await db.sql<{ scope: Scope; stamp: string }[]>`
    select scope, string_agg(stamp::text, '' order by shard) as stamp from read_stamps group by scope`
  const stamps: Record<Scope, string> = { drafts: '', entities: '', feed: '' }
  for (const { scope, stamp } of rows) stamps[scope] = stamp
  return stamps
}

/** How old the stamps may be that a kept answer is judged by, in milliseconds. */
export const READS_LAG_MS = 2

/** Clocks differ a little in pace. */
const MARGIN_MS = 0.2

/**
 * Resolves when every process that keeps answers must have noticed what was committed before this was called. Who waits
 * for it before telling that something is written is never shown what was there before, whoever answers.
 */
export async function untilReadsShowIt(): Promise<void> {
  const end = performance.now() + READS_LAG_MS + MARGIN_MS
  // Timers count from when this turn of the loop began, which may be a while ago.
  do await sleep(READS_LAG_MS)
  while (performance.now() < end)
}
