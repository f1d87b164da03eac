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
