import type postgres from 'postgres'
import type { FeedFilter } from '#lib/core/feed/filter.ts'
import type { StreamDelta } from '#lib/core/feed/outbox-reader.ts'
import { filterOfRow, LISTED_DELIVERIES } from './endpoints.ts'
import type { Attempt } from './post.ts'

/*
 * The deliverer's statements. All times are the database's, so that processes need not agree about the time, and each
 * statement names the lease: a process that lost it changes nothing.
 */

/** An endpoint that this process alone may deliver to, until its lease ends. */
export interface Claimed {
  readonly id: string
  readonly url: string
  readonly filter: FeedFilter | undefined
  /** The current one first. */
  readonly secrets: readonly string[]
  readonly position: number
  readonly generation: number
  readonly attempts: number
  readonly slow: boolean
  /** A test event to send instead. */
  readonly testId: string | null
  readonly leaseToken: string
}

interface Slots {
  /** Names the lease of all that are claimed together. */
  readonly token: string
  readonly free: number
  readonly freeOfSlow: number
  readonly freeOfTests: number
}

/** Seconds; longer than an attempt may take, see `LEASE_LEFT_MS`. */
const LEASE = '30 seconds'

/** Endpoints of one owner in work at a time: receivers that answer late delay those of the same owner. */
const MAX_OF_OWNER = 4
/** Due endpoints that are looked at for each slot, so that some are of other owners. */
const LOOKED_AT = 8

/**
 * Claims endpoints that have something to send, those that wait longest first. One test event of an owner is sent at a
 * time, last those of owners whose receivers were slow.
 */
export async function claim(
  sql: postgres.Sql,
  { token, free, freeOfSlow, freeOfTests }: Slots,
): Promise<Claimed[]> {
  if (free <= 0) return []
  const unleased = sql`(w.lease_until is null or w.lease_until <= now())`
  const newest = sql`(select last_stream_seq from worker_state where id = 1)`
  // By the index of positions: those that are up to date, mostly all of them, are not read.
  const isDue = sql`w.state = 'active' and w.position < ${newest} and w.due_at <= now() and ${unleased}`
  const ofActiveUser = sql`exists (select 1 from users u where u.address = w.owner and u.status = 'active')`
  const rows = await sql<ClaimedRow[]>`
    with tests as (
      select w.id from webhook_endpoints w
      where w.id in (
        select distinct on (t.owner) t.id from webhook_endpoints t
        where t.test_id is not null and (t.lease_until is null or t.lease_until <= now()) order by t.owner, t.id
      ) and ${unleased} and ${ofActiveUser} and not exists (
        select 1 from webhook_endpoints o where o.owner = w.owner and o.test_id is not null and o.lease_until > now()
      )
      order by (select count(*) from webhook_endpoints o where o.owner = w.owner and o.slow)
      limit ${Math.max(0, freeOfTests)} for update skip locked
    ),
    -- A feed that began anew has lower numbers: the position becomes its end.
    ahead as (
      select w.id from webhook_endpoints w
      where w.state = 'active' and w.position > ${newest} and ${unleased} limit ${free} for update skip locked
    ),
    quick as (
      select q.id from webhook_endpoints q where q.id in (
        select id from (
          select id, owner, row_number() over (partition by owner order by due_at) as n from (
            select w.id, w.owner, w.due_at from webhook_endpoints w where ${isDue} and not w.slow and ${ofActiveUser}
            order by w.due_at limit ${free * LOOKED_AT}
          ) first
        ) of_owner
        where n + (
          select count(*) from webhook_endpoints o
          where o.owner = of_owner.owner and o.lease_until > now() and not o.slow
        ) <= ${MAX_OF_OWNER}
      )
      -- Once more, of the row as it is when it is locked.
      and (q.lease_until is null or q.lease_until <= now())
      order by q.due_at limit ${free} for update skip locked
    ),
    slow as (
      select w.id from webhook_endpoints w where ${isDue} and w.slow and ${ofActiveUser}
      order by w.due_at limit ${Math.max(0, freeOfSlow)} for update skip locked
    )
    update webhook_endpoints e set lease_token = ${token}, lease_until = now() + ${LEASE}::interval
    where e.id in (
      select id from (select id, 1 as n from tests union all select id, 2 from ahead
        union all select id, 3 from slow union all select id, 4 from quick) due
      order by n limit ${free}
    )
    returning e.id, e.url, e.position::float8, e.generation, e.attempts, e.slow,
      case when e.id in (select id from tests) then e.test_id end as "testId",
      e.filter_kind as "filterKind", e.filter_owner as "filterOwner", e.filter_format as "filterFormat",
      e.filter_name as "filterName", e.secret,
      case when e.previous_secret_until > now() then e.previous_secret end as "previousSecret"`
  return rows.map(
    ({ filterKind, filterOwner, filterFormat, filterName, secret, previousSecret, ...endpoint }) => ({
      ...endpoint,
      filter: filterOfRow({ filterKind, filterOwner, filterFormat, filterName }),
      secrets: previousSecret === null ? [secret] : [secret, previousSecret],
      leaseToken: token,
    }),
  )
}

type ClaimedRow = Omit<Claimed, 'filter' | 'secrets' | 'leaseToken'> & {
  readonly filterKind: string | null
  readonly filterOwner: string | null
  readonly filterFormat: string | null
  readonly filterName: string | null
  readonly secret: string
  readonly previousSecret: string | null
}

/**
 * Records an attempt and, after a success, the position. After a failure the endpoint is due later, or disabled: when it
 * has failed for three days, or at once when the receiver answers 410.
 *
 * @returns whether the next delta may be sent: the attempt succeeded, the lease is still ours, and the owner changed nothing.
 */
export async function recordDelivery(
  sql: postgres.Sql,
  { id, leaseToken, generation }: Claimed,
  {
    delta,
    attempt,
    slow,
  }: { readonly delta: StreamDelta; readonly attempt: Attempt; readonly slow: boolean },
): Promise<boolean> {
  const failed = attempt.error !== undefined
  return sql.begin(async (tx) => {
    const [row] = await tx<
      { generation: number; attempts: number; state: string; expired: boolean | null }[]
    >`
      select generation, attempts, state, failing_since <= now() - ${GIVE_UP}::interval as expired
      from webhook_endpoints where id = ${id} and lease_token = ${leaseToken} for update`
    if (row === undefined) return false
    const unchanged = row.generation === generation
    const change = failed
      ? tx`attempts = attempts + 1, failing_since = coalesce(failing_since, now()),
          due_at = now() + ${retrySeconds(row.attempts)} * interval '1 second'`
      : tx`position = ${delta.streamSeq}, attempts = 0, failing_since = null, due_at = now()`
    await tx`
      update webhook_endpoints set slow = ${slow}, lease_until = now() + ${LEASE}::interval
        ${unchanged ? tx`, ${change}` : tx``}
      where id = ${id}`
    const end = endOf(attempt, row.expired === true)
    if (unchanged && end !== undefined) {
      await tx`
        update webhook_endpoints set state = 'disabled', disabled_reason = ${end}
        where id = ${id} and state = 'active'`
    }
    await insertDelivery(tx, id, {
      messageId: `seq_${delta.streamSeq}`,
      streamSeq: delta.streamSeq,
      eventType: delta.eventType,
      attemptNumber: row.attempts + 1,
      attempt,
    })
    return unchanged && !failed && row.state === 'active'
  })
}

/** Seconds before each further attempt; the last one repeats. */
const RETRY_SECONDS = [5, 15, 60, 300, 900, 1800, 3600, 7200, 10_800]
const GIVE_UP = '3 days'
const GONE = 410

/** @param attempts Failed attempts before this one. */
function retrySeconds(attempts: number): number {
  const seconds = RETRY_SECONDS[Math.min(attempts, RETRY_SECONDS.length - 1)] as number
  // Receivers that failed together are not all tried again together.
  return seconds * (0.9 + Math.random() * 0.2)
}

/** Why a failed attempt is the last one; undefined when it is not. */
function endOf({ status, error }: Attempt, expired: boolean): string | undefined {
  if (error === undefined) return undefined
  if (status === GONE) return 'The receiver answered 410 (gone).'
  return expired ? `It failed for three days, at last with: ${error}` : undefined
}

/** Records a test event as sent, whatever came of it. */
export async function recordTest(
  sql: postgres.Sql,
  endpoint: Claimed,
  test: { readonly id: string; readonly type: string; readonly attempt: Attempt; readonly slow: boolean },
): Promise<void> {
  await sql.begin(async (tx) => {
    const rows = await tx`
      update webhook_endpoints set test_id = case when test_id = ${test.id} then null else test_id end, slow = ${test.slow}
      where id = ${endpoint.id} and lease_token = ${endpoint.leaseToken} returning id`
    if (rows.length === 0) return
    await insertDelivery(tx, endpoint.id, {
      messageId: test.id,
      streamSeq: null,
      eventType: test.type,
      attemptNumber: 1,
      attempt: test.attempt,
    })
  })
}

/** Moves the position over deltas that do not pass the filter, unless the owner has moved it. */
export async function advance(
  sql: postgres.Sql,
  { id, leaseToken, generation }: Claimed,
  position: number,
): Promise<void> {
  await sql`
    update webhook_endpoints set position = ${position}
    where id = ${id} and lease_token = ${leaseToken} and generation = ${generation} and position <> ${position}`
}

/** Gives the endpoint back. */
export async function release(sql: postgres.Sql, { id, leaseToken }: Claimed): Promise<void> {
  await sql`
    update webhook_endpoints set lease_token = null, lease_until = null
    where id = ${id} and lease_token = ${leaseToken}`
}

interface DeliveryRow {
  readonly messageId: string
  readonly streamSeq: number | null
  readonly eventType: string
  readonly attemptNumber: number
  readonly attempt: Attempt
}

/** Inserts an attempt and deletes those beyond what is listed. */
async function insertDelivery(
  sql: postgres.TransactionSql,
  endpointId: string,
  { messageId, streamSeq, eventType, attemptNumber, attempt }: DeliveryRow,
): Promise<void> {
  await sql`
    insert into webhook_deliveries
      (endpoint_id, message_id, stream_seq, event_type, attempt, duration_ms, status, error, answer)
    values (${endpointId}, ${messageId}, ${streamSeq}, ${eventType}, ${attemptNumber}, ${attempt.durationMs},
      ${attempt.status}, ${attempt.error ?? null}, ${attempt.answer})`
  await sql`
    delete from webhook_deliveries where endpoint_id = ${endpointId} and id <= (
      select id from webhook_deliveries where endpoint_id = ${endpointId}
      order by id desc offset ${LISTED_DELIVERIES} limit 1)`
}
