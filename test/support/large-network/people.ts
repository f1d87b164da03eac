import type postgres from 'postgres'
import { type Cell, copyRows } from './copy-rows.ts'
import { accountOf } from './network.ts'
import { seededRandom, words } from './random.ts'

const FOLLOWED = 4
const WEBHOOKS = 3_000
const WEBHOOKS_OF_ONE = 10
const DELIVERIES = 3_000
const MARKS = 3_000

/** Users with names, each of whom follows a few; a few are followed by many. Some have webhooks, which are up to date. */
export async function fillPeople(sql: postgres.Sql, { users }: { readonly users: number }): Promise<void> {
  const random = seededRandom(2)
  await copyRows(
    sql,
    'users',
    'address, status, display_name, search_text, created_at, updated_at',
    (function* (): Generator<Cell[]> {
      for (let index = 0; index < users; index++) {
        const name = `${words(random)} ${index.toString(36)}`
        const time = new Date(index * 1000).toISOString()
        yield [accountOf(index), index % 100 === 99 ? 'deleted' : 'active', name, name, time, time]
      }
    })(),
  )
  await copyRows(
    sql,
    'follows',
    'follower, followed, created_at',
    (function* (): Generator<Cell[]> {
      for (let index = 0; index < users; index++) {
        const chosen = new Set(Array.from({ length: FOLLOWED }, () => random.popular(users)))
        chosen.delete(index)
        for (const followed of chosen)
          yield [accountOf(index), accountOf(followed), new Date(0).toISOString()]
      }
    })(),
  )
  const owners = Array.from({ length: WEBHOOKS / WEBHOOKS_OF_ONE }, (_, index) => accountOf(index))
  await sql`
    insert into webhook_endpoints (id, owner, name, url, secret, position)
    select 'hook' || n, (${owners}::text[])[1 + n % ${owners.length}], 'Bot', 'https://example.com/',
      'whsec_', (select last_stream_seq from worker_state)
    from generate_series(0, ${WEBHOOKS - 1}) n
    where exists (select 1 from users where address = (${owners}::text[])[1 + n % ${owners.length}])`
  await sql`
    insert into webhook_deliveries (endpoint_id, message_id, event_type, attempt, duration_ms, answer)
    select 'hook' || n % 3, 'seq_1', 'connector_added', 1, 5, '' from generate_series(1, ${DELIVERIES}) n`
  await sql`
    insert into agent_grants
      (selector, address, client_name, redirect_uri, code_hash, code_challenge, refresh_hash, created_at, expires_at)
    select 'app' || n, (${owners}::text[])[1 + n % ${owners.length}], 'Bot', 'https://example.com/', '', '', '', now(), 'infinity'
    from generate_series(0, ${WEBHOOKS - 1}) n
    where exists (select 1 from users where address = (${owners}::text[])[1 + n % ${owners.length}])`
  await fillMarks(sql)
}

/**
 * Likes, plays, libraries and notices: the first account has thousands of marks and the notices that one may have, every
 * account has a few, and one piece is liked and played by all.
 */
async function fillMarks(sql: postgres.Sql): Promise<void> {
  const first = accountOf(0)
  const piece = sql`(select name from entities where kind = 'connector' order by name limit 1)`
  await sql`
    insert into marks (account, mark, kind, name, created_at)
    select ${first}, mark, 'connector', name, now() - n * interval '1 second'
    from (select name, row_number() over (order by name) as n from entities where kind = 'connector' limit ${MARKS}) e
    cross join unnest(array['like', 'save']) as mark
    union all
    select address, mark, 'connector', ${piece}, now() from users cross join unnest(array['like', 'save']) as mark
    where address <> ${first}
    on conflict do nothing`
  await sql`
    insert into piece_counts (kind, name, likes, plays)
    select kind, name, count(*), count(*) from marks where mark = 'like' group by kind, name`
  await sql`
    insert into play_days (day, salt, plays) select now()::date, repeat('0', 32), count(*) from users`
  await sql`
    insert into play_visitors (day, visitor, kind, name)
    select now()::date, address, 'connector', ${piece} from users`
  await sql`
    insert into notices (account, what, actor, kind, name, by_kind, by_name, created_at)
    select u.address, 'built', ${first}, 'connector', e.name, 'connector', e.name, now() - n * interval '1 second'
    from users u cross join lateral (
      select name, row_number() over (order by name) as n from entities
      where kind = 'connector' order by name limit case when u.address = ${first} then 200 else 3 end
    ) e`
}
