import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { sharedLook } from '../cache/shared-look.ts'
import type { Services } from '../context.ts'
import type { Database } from '../db/client.ts'

/** What stands behind the public reads, in parts that change as one. */
type Scope = 'drafts' | 'entities' | 'feed'

export type Stamps = Readonly<Record<Scope, string>>

/**
 * For each part a text that is another one after every committed change of it, whichever process made it: triggers
 * write it in the transaction of the change. What is read after this is at least as new as the texts say.
 */
export async function readStamps({ db }: Pick<Services, 'db'>): Promise<Stamps> {
  const rows = await db.sql<{ scope: Scope; stamp: string }[]>`
    select scope, string_agg(stamp::text, '' order by shard) as stamp from read_stamps group by scope`
  const stamps: Record<Scope, string> = { drafts: '', entities: '', feed: '' }
  for (const { scope, stamp } of rows) stamps[scope] = stamp
  return stamps
}

/** How old the stamps may be that what is kept is judged by, in milliseconds. */
const READS_LAG_MS = 2

/** One look of a process for all that it keeps of a database. */
const looks = new WeakMap<Database, () => Stamps | Promise<Stamps>>()

/** The stamps as they were at most a moment before: see `untilReadsShowIt`. Requests share looks at them. */
export function stampsNow(ctx: Pick<Services, 'db'>): Stamps | Promise<Stamps> {
  let look = looks.get(ctx.db)
  if (look === undefined) {
    let latest: Stamps = { drafts: '', entities: '', feed: '' }
    look = sharedLook(async () => {
      latest = sameTexts(await readStamps(ctx), latest)
      return latest
    }, READS_LAG_MS)
    looks.set(ctx.db, look)
  }
  return look()
}

/** Equal texts as the same ones, which are compared at a glance. */
function sameTexts(now: Stamps, before: Stamps): Stamps {
  const same = (scope: Scope) => (now[scope] === before[scope] ? before[scope] : now[scope])
  return { drafts: same('drafts'), entities: same('entities'), feed: same('feed') }
}

/** Clocks differ a little in pace. */
const MARGIN_MS = 0.2

/**
 * Resolves when every process that keeps anything must have noticed what was committed before this was called. Who waits
 * for it before telling that something is written is never shown what was there before, whoever answers.
 */
export async function untilReadsShowIt(): Promise<void> {
  const end = performance.now() + READS_LAG_MS + MARGIN_MS
  // Timers count whole milliseconds from when this turn of the loop began, which may be a while ago.
  await sleep(READS_LAG_MS)
  while (performance.now() < end) await turn()
}
