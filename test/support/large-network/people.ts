import type postgres from 'postgres'
import { type Cell, copyRows } from './copy-rows.ts'
import { accountOf } from './network.ts'
import { seededRandom, words } from './random.ts'

const FOLLOWED = 4
const WEBHOOKS = 3_000
const WEBHOOKS_OF_ONE = 10
const DELIVERIES = 3_000

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
}
