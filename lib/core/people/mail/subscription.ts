import { createHash, randomBytes } from 'node:crypto'
import type { Context, Services } from '#lib/core/context/context.ts'
import { requireSession } from '#lib/core/identity/authorise.ts'
import { isEmailAddress } from '#lib/protocol/email-address.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'

type Store = Pick<Services, 'db'>

/** Where the notices of an account are sent to. */
export interface Subscription {
  readonly address: string
  readonly confirmed: boolean
  /** Why nothing is sent any more; null while it is. */
  readonly stopped: string | null
}

/** Confirmations a day: to one address, and caused by one account. */
const MAX_TO_RECIPIENT = 3
const MAX_OF_ACCOUNT = 5

/** Undefined where the account gave no address. */
export async function subscriptionOf({ db }: Store, account: Address): Promise<Subscription | undefined> {
  const [row] = await db.sql<Subscription[]>`
    select address, confirmed_at is not null as confirmed, stopped from emails where account = ${account}`
  return row
}

/**
 * Sets the e-mail address of the signed-in account. The worker sends it a link that confirms it; before that nothing
 * else is sent there.
 *
 * @throws Failure('unauthenticated'), Failure('invalid_request') for what is no address, Failure('not_found') where the
 *   operator sends no e-mail, Failure('too_many') beyond the confirmations of a day.
 */
export async function subscribe(ctx: Context, { address }: { readonly address: string }): Promise<void> {
  const { address: account } = requireSession(ctx)
  if (ctx.config.mail.smtpUrl === undefined) throw new Failure('not_found', 'This site sends no e-mail')
  if (!isEmailAddress(address)) {
    throw new Failure('invalid_request', 'This is no e-mail address like name@example.org')
  }
  const recipient = createHash('sha256').update(address.toLowerCase()).digest('hex')
  const key = randomBytes(16).toString('base64url')
  await ctx.db.sql.begin(async (sql) => {
    // One at a time, so that the limits hold. All locks of this kind are in this order.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`email ${recipient}`}, 0))`
    await sql`select pg_advisory_xact_lock(hashtextextended(${`email of ${account}`}, 0))`
    await sql`delete from email_requests where requested_at < now() - interval '1 day'`
    const [count] = await sql<{ recipient: number; account: number }[]>`
      select
        (select count(*)::int from email_requests where recipient = ${recipient}) as recipient,
        (select count(*)::int from email_requests where account = ${account}) as account`
    if (count === undefined || count.recipient >= MAX_TO_RECIPIENT || count.account >= MAX_OF_ACCOUNT) {
      throw new Failure('too_many', 'Too many confirmations were sent today: try again tomorrow')
    }
    await sql`insert into email_requests (recipient, account, requested_at) values (${recipient}, ${account}, now())`
    await sql`
      insert into emails (account, address, key, due_at, read_to)
      values (${account}, ${address}, ${key}, now(), now())
      on conflict (account) do update set address = excluded.address, key = excluded.key, confirmed_at = null,
        due_at = now(), sent_at = null, read_to = now(), attempts = 0, stopped = null`
  })
}

/** Removes the e-mail address of the signed-in account. @throws Failure('unauthenticated') */
export async function unsubscribe(ctx: Context): Promise<void> {
  const { address } = requireSession(ctx)
  await ctx.db.sql`delete from emails where account = ${address}`
}

const KEY = /^[A-Za-z0-9_-]{22}$/

/** The subscription that an e-mail's link is about; undefined for a link that has ended. */
export async function subscriptionByKey({ db }: Store, key: string): Promise<Subscription | undefined> {
  if (!KEY.test(key)) return undefined
  const [row] = await db.sql<Subscription[]>`
    select address, confirmed_at is not null as confirmed, stopped from emails where key = ${key}`
  return row
}

/** Confirms the address that the link was sent to. Idempotent. @returns false for a link that has ended. */
export async function confirmByKey({ db }: Store, key: string): Promise<boolean> {
  if (!KEY.test(key)) return false
  const rows = await db.sql`
    update emails set confirmed_at = coalesce(confirmed_at, now()), stopped = null where key = ${key} returning account`
  return rows.length > 0
}

/** Removes the address that the link was sent to. @returns false for a link that has ended. */
export async function unsubscribeByKey({ db }: Store, key: string): Promise<boolean> {
  if (!KEY.test(key)) return false
  const rows = await db.sql`delete from emails where key = ${key} returning account`
  return rows.length > 0
}
