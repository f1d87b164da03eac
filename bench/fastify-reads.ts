/**
 * The reads of the bench as a programmer would write them by hand: Fastify and postgres.js with their defaults, the
 * queries of the site, and the same bodies. No ETag, no CORS, no compression, no metrics, no limits.
 *
 * `node bench/fastify-reads.ts PORT`, with DATABASE_URL.
 */
import fastify from 'fastify'
import postgres from 'postgres'

const sql = postgres(process.env.DATABASE_URL!, { max: 10 })
const app = fastify()
const started = new Date().toISOString()

function bare(hex: string) {
  return hex.slice(2)
}

interface Listed {
  readonly limit: string
  readonly after?: string
}

function cursorOf(keys: readonly string[], limit: number) {
  const more = keys.length > limit
  return { has_more: more, next_after: more ? bare(keys[limit - 1]!) : null }
}

function limitOf(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 256) throw new Error('limit: expected 1 to 256')
  return limit
}

async function entity(kind: string, name: string) {
  const [row] = await sql`
    with found as (
      select owner, address, artifact_hash as content_hash, 1 as rank
      from entities where kind = ${kind} and name = ${name}
      union all
      select owner, null, content_hash, 2 from drafts where kind = ${kind} and name = ${name}
      order by rank limit 1
    )
    select owner, address, a.body - '{runtime,leaves,dependencies}'::text[] as facts
    from found join artifacts a using (content_hash)`
  return row
}

app.get('/chain/version', async () => ({
  build_timestamp: process.env.BUILD_TIMESTAMP ?? started,
  version: '0.4.0',
}))

app.get<{ Params: { name: string } }>('/chain/transformation/:name', async ({ params }, reply) => {
  const row = await entity('transformation', params.name)
  if (row === undefined) return reply.code(404).send({ message: 'Transformation not found' })
  const { owner, address, facts } = row
  return { name: params.name, owner: bare(owner), address: address ?? '0x0', args_count: facts.argsCount }
})

app.get<{ Params: { name: string } }>('/chain/connector/:name', async ({ params }, reply) => {
  const row = await entity('connector', params.name)
  if (row === undefined) return reply.code(404).send({ message: 'Connector not found' })
  const { owner, address, facts } = row
  const { dimensions, conditionName, conditionArgs, staticRi } = facts.definition
  return {
    name: params.name,
    owner: bare(owner),
    address: address ?? '0x0',
    dimensions: dimensions.map(
      (each: {
        readonly transformations: readonly { readonly name: string; readonly args: readonly number[] }[]
        readonly composite: string
        readonly bindings: readonly { readonly slot: number; readonly name: string }[]
      }) => ({
        transformations: each.transformations.map(({ name, args }) => ({ name, args })),
        composite: each.composite,
        bindings: Object.fromEntries(each.bindings.map(({ slot, name }) => [slot, name])),
      }),
    ),
    condition_name: conditionName,
    condition_args: conditionArgs,
    static_ri: Object.fromEntries(
      staticRi.map(
        (each: {
          readonly position: number
          readonly startPoint: number
          readonly transformationShift: number
        }) => [
          each.position,
          { start_point: each.startPoint, transformation_shift: each.transformationShift },
        ],
      ),
    ),
    format_hash: bare(facts.formatHash),
  }
})

app.get<{ Querystring: Listed }>('/chain/accounts', async ({ query }) => {
  const limit = limitOf(query.limit)
  const rows = await sql`
    select counted.total, page.address
    from (select coalesce((select total::int from network_totals where counted = 'account'), 0) as total) counted
    left join lateral (
      select address from accounts where address > ${query.after ?? ''} order by address limit ${limit + 1}
    ) page on true
    order by page.address`
  const keys = rows.flatMap((row) => row.address ?? [])
  return {
    limit,
    total_accounts: rows[0]?.total ?? 0,
    cursor: cursorOf(keys, limit),
    accounts: keys.slice(0, limit).map(bare),
  }
})

app.get<{ Querystring: Listed }>('/chain/formats', async ({ query }) => {
  const limit = limitOf(query.limit)
  const rows = await sql`
    select counted.total, page.format_hash
    from (select coalesce((select total::int from network_totals where counted = 'format'), 0) as total) counted
    left join lateral (
      select format_hash from formats where format_hash > ${query.after ?? ''} order by format_hash limit ${limit + 1}
    ) page on true
    order by page.format_hash`
  const keys = rows.flatMap((row) => row.format_hash ?? [])
  return {
    limit,
    total_formats: rows[0]?.total ?? 0,
    cursor: cursorOf(keys, limit),
    formats: keys.slice(0, limit).map(bare),
  }
})

app.get<{ Querystring: Listed }>('/chain/feed', async ({ query }) => {
  const limit = limitOf(query.limit)
  const rows = await sql`
    with walk as materialized (
      select coalesce((select last_stream_seq from worker_state where id = 1), 0) as stream_seq
    ),
    moved as materialized (
      select distinct on (feed_id) feed_id, history_cursor as place
      from feed_outbox where status = 'removed' and stream_seq > (select stream_seq from walk)
      order by feed_id, stream_seq
    ),
    page as (
      (select i.*, i.history_cursor as place from feed_items i
        where i.visible and (i.history_cursor, i.feed_id) < ('~', '')
          and not exists (select 1 from moved where moved.feed_id = i.feed_id)
        order by i.history_cursor desc, i.feed_id desc limit ${limit + 1})
      union all
      (select i.*, moved.place from moved join feed_items i using (feed_id)
        where i.visible and (moved.place, moved.feed_id) < ('~', '')
        order by moved.place desc, moved.feed_id desc limit ${limit + 1})
    )
    select page.*, walk.stream_seq from page, walk
    order by page.place desc, page.feed_id desc limit ${limit + 1}`
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    limit,
    cursor: {
      has_more: last !== undefined,
      next_before: last === undefined ? null : `${last.place}~${last.stream_seq}~${last.feed_id}`,
    },
    items: shown.map((row) => ({
      feed_id: row.feed_id,
      event_type: row.event_type,
      status: row.status,
      visible: row.visible,
      tx_hash: row.tx_hash,
      block_number: Number(row.block_number),
      tx_index: row.tx_index,
      log_index: row.log_index,
      history_cursor: row.history_cursor,
      created_at_ms: Number(row.created_at_ms),
      updated_at_ms: Number(row.updated_at_ms),
      projector_version: row.projector_version,
      payload: { type: row.kind, name: row.name, owner: row.owner },
    })),
  }
})

await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })
