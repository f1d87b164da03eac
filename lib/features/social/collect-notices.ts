import type { Services } from '#lib/core/context/context.ts'
import { MAX_NOTICES, MAX_OF_ACTOR } from '#lib/core/people/notices.ts'
import { createDatabase, type Database } from '#lib/platform/db/client.ts'
import { repeat } from '#lib/platform/repeat.ts'

const POLL_MS = 2_000
const RETRY_MS = 10_000
/** Deltas of the outbox in one transaction. */
const BATCH = 500

/** Writes notices until the signal. Logs failures and retries. */
export async function collectNotices(
  { config, log }: Pick<Services, 'config' | 'log'>,
  signal: AbortSignal,
): Promise<void> {
  const db = createDatabase(config.databaseUrl, { max: 1 })
  const onFailure = { log, message: 'Failed to write notices, retrying', retryMs: RETRY_MS }
  await repeat(signal, onFailure, async () => ((await collectNextNotices(db)) < BATCH ? POLL_MS : 0))
  await db.close()
}

/**
 * Writes the notices of the next deltas of the outbox: to accounts that have signed in, about publications of others that
 * use or remix theirs. The first call begins at the newest delta. Repeated deltas of an entity change nothing.
 *
 * @returns How many deltas were read; 0 while another process reads them.
 */
export async function collectNextNotices({ sql: pool }: Pick<Database, 'sql'>): Promise<number> {
  return pool.begin(async (sql) => {
    const [at] = await sql<{ stream_seq: number }[]>`
      select stream_seq::float8 as stream_seq from notice_position for update skip locked`
    if (at === undefined) {
      await sql`
        insert into notice_position (id, stream_seq) select 1, last_stream_seq from worker_state on conflict do nothing`
      return 0
    }
    const [next] = await sql<{ last: number | null; read: number }[]>`
      select max(stream_seq)::float8 as last, count(*)::int as read
      from (select stream_seq from feed_outbox where stream_seq > ${at.stream_seq} order by stream_seq limit ${BATCH}) deltas`
    if (!next?.last) return 0
    const noticeRows = await sql<{ account: string }[]>`
      with deltas as materialized (
        select distinct kind, name, owner from feed_outbox
        where stream_seq > ${at.stream_seq} and stream_seq <= ${next.last} and status <> 'removed'
      ), found as (
        select used.owner as account, 'built' as what, d.owner as actor, used.kind, used.name,
          d.kind as by_kind, d.name as by_name
        from deltas d
        join entity_references r on d.kind = 'connector' and r.connector = d.name
        join entities used on used.kind = r.kind and used.name = r.name
        union all
        select origin.owner, 'remixed', d.owner, origin.kind, origin.name, d.kind, d.name
        from deltas d
        join entity_origins o on o.kind = d.kind and o.name = d.name
        join entities origin on origin.kind = o.origin_kind and origin.name = o.origin_name
      ), numbered as (
        select found.*, row_number() over (partition by account, actor order by by_name, name, what) as nth
        from found join users u on u.address = found.account and u.status = 'active'
        where found.account <> found.actor
      ), told as (
        select account, actor, count(known.account) as times
        from (select distinct account, actor from numbered) pairs
        left join notices known using (account, actor)
        group by account, actor
      )
      insert into notices (account, what, actor, kind, name, by_kind, by_name, created_at)
      select account, what, actor, kind, name, by_kind, by_name, now() from numbered join told using (account, actor)
      where nth + times <= ${MAX_OF_ACTOR}
      on conflict do nothing
      returning account`
    if (noticeRows.length > 0) {
      const accounts = [...new Set(noticeRows.map(({ account }) => account))]
      await sql`
        delete from notices where ctid = any(array(
          select old.ctid from unnest(${accounts}::text[]) told(account)
          cross join lateral (
            select ctid from notices where account = told.account and what <> 'followed'
            order by created_at desc offset ${MAX_NOTICES}
          ) old))`
    }
    await sql`update notice_position set stream_seq = ${next.last}`
    return next.read
  })
}
