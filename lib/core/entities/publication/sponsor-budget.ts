import type { TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { readProvider } from '#lib/chain/provider.ts'
import type { Context, Services } from '#lib/core/context/context.ts'
import { LOCKS } from '#lib/platform/db/advisory-locks.ts'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'

/** A transaction of the sponsor. */
export interface SponsoredTransaction {
  readonly txHash: Hash
  readonly nonce: number
  readonly owner: Address
  readonly status: 'pending' | 'mined' | 'reverted' | 'dropped'
  readonly raw: Hex | null
  /** Wei that it costs at most. */
  readonly reserved: bigint
  /** Unix seconds. */
  readonly deadline: number
  readonly createdAt: Date
}

/** Payment for a transaction, before it has a nonce. */
export interface Reservation {
  readonly sponsor: Address
  readonly owner: Address
  readonly planHash: Hash
  readonly publications: number
  readonly deadline: number
  /** Wei that it costs at most. */
  readonly reserved: bigint
}

/** Pending transactions of one account that nodes keep. */
const MAX_PENDING = 16
/** A transaction that is pending for longer holds up all after it. */
const STUCK_MS = 5 * 60_000
const DAYS_KEPT = 30

type Store = Pick<Services, 'db' | 'config' | 'clock'>

/** A refusal of the sponsor; the owner can still pay, unless the account is one of a passkey, which sends nothing itself. */
export function notSponsored(reason: string): Failure {
  return new Failure(
    'conflict',
    `${reason} A wallet can pay for it itself; an account of a passkey waits until this site pays again.`,
  )
}

/**
 * Wei of today that is spent or reserved: in all, for the account, for the client address. A revert because another account
 * published one of the names first counts for no account: it is not the payer's fault.
 */
async function usedToday(
  sql: Store['db']['sql'],
  day: string,
  owner: Address | undefined,
  client: string | undefined,
) {
  const [row] = await sql<{ total: string; account: string; client: string; reverted: number }[]>`
    select coalesce(sum(coalesce(spent, reserved)), 0)::text as total,
      coalesce(sum(coalesce(spent, reserved)) filter (where owner = ${owner ?? null} and not overtaken), 0)::text
        as account,
      coalesce(sum(coalesce(spent, reserved)) filter (where client = ${client ?? null}), 0)::text as client,
      (count(*) filter (where owner = ${owner ?? null} and status = 'reverted' and not overtaken))::int as reverted
    from (
      select t.*,
        t.status = 'reverted' and exists (
          select from publications p join entities e on e.kind = p.kind and e.name = p.name
          where p.owner = t.owner and p.tx_hash = t.tx_hash and e.owner <> t.owner
        ) as overtaken
      from sponsored_transactions t where day = ${day}
    ) today`
  return {
    total: BigInt(row?.total ?? 0),
    account: BigInt(row?.account ?? 0),
    client: BigInt(row?.client ?? 0),
    reverted: row?.reverted ?? 0,
  }
}

/** Returns the account of the sponsor's key. */
export function sponsorAddress(key: Hex): Address {
  return privateKeyToAccount(key).address.toLowerCase() as Address
}

/** Whether the operator pays for a publication of about `wei`; without an owner, for that of a visitor. */
export async function isSponsored(ctx: Context, owner: Address | undefined, wei: bigint): Promise<boolean> {
  const { chain, config } = ctx
  const { key } = config.sponsor
  if (key === undefined || chain === undefined) return false
  const sponsor = sponsorAddress(key)
  const [refusal, pending, balance] = await Promise.all([
    budgetRefusal(ctx, owner, wei),
    readQueue(ctx.db.sql, sponsor),
    readProvider('read the balance', () => chain.public.getBalance({ address: sponsor })),
  ])
  return (refusal ?? queueRefusal(pending, ctx.clock()) ?? fundsRefusal(pending, balance, wei)) === undefined
}

type Queue = readonly {
  readonly owner: Address
  readonly nonce: number
  readonly reserved: string
  readonly createdAt: string
}[]

function readQueue(sql: Store['db']['sql'], sponsor: Address): Promise<Queue> {
  return sql<{ owner: Address; nonce: number; reserved: string; createdAt: string }[]>`
    select owner, nonce::int as nonce, reserved::text as reserved, created_at as "createdAt"
    from sponsored_transactions where sponsor = ${sponsor} and status = 'pending'`
}

function queueRefusal(pending: Queue, now: Date): Failure | undefined {
  if (pending.some(({ createdAt }) => now.getTime() - new Date(createdAt).getTime() > STUCK_MS)) {
    return notSponsored('An earlier transaction that this site pays for waits for lower fees.')
  }
  if (pending.length < MAX_PENDING) return undefined
  return notSponsored('Too many publications that this site pays for are on their way.')
}

function fundsRefusal(pending: Queue, balance: bigint, wei: bigint): Failure | undefined {
  if (balance >= pending.reduce((sum, each) => sum + BigInt(each.reserved), wei)) return undefined
  return notSponsored('The account that pays for publications here is out of funds.')
}

/** Why the budget of today does not cover `wei` more; undefined when it does. */
async function budgetRefusal(
  ctx: Store & { readonly client?: string | undefined },
  owner: Address | undefined,
  wei: bigint,
  sql = ctx.db.sql,
): Promise<Failure | undefined> {
  const { sponsor } = ctx.config
  const usage = await usedToday(sql, dayOf(ctx.clock()), owner, ctx.client)
  if (usage.reverted > 0) {
    return notSponsored('A publication of this account that this site paid for failed on the chain today.')
  }
  if (usage.total + wei > sponsor.perDay) {
    return notSponsored('What this site pays for publications in a day is used up until midnight (UTC).')
  }
  if (usage.account + wei > sponsor.perAccount) {
    return notSponsored(
      'What this site pays for one account in a day does not cover this until midnight (UTC).',
    )
  }
  if (ctx.client !== undefined && usage.client + wei > sponsor.perClient) {
    return notSponsored(
      'What this site pays for one client address in a day is used up until midnight (UTC).',
    )
  }
  return undefined
}

/**
 * Reserves budget and a nonce for a transaction, has it signed, and stores it, one at a time over all processes.
 *
 * @param sign Returns the transaction with the nonce that follows the stored ones.
 * @throws Failure('conflict') where budget, funds or the queue do not allow it, or while another transaction for the
 *   owner is pending, Failure('overloaded') while another process or request reserves.
 */
export function reserve(
  ctx: Context,
  reservation: Reservation,
  readAccount: () => Promise<{ nonce: bigint; balance: bigint }>,
  sign: (nonce: number) => Promise<{ txHash: Hash; raw: Hex }>,
): Promise<{ txHash: Hash; raw: Hex }> {
  const { sponsor, owner, planHash, publications, deadline, reserved } = reservation
  const now = ctx.clock()
  return ctx.db.sql.begin(async (sql) => {
    // Without waiting, which would hold connections.
    const [lock] = await sql<{ held: boolean }[]>`
      select pg_try_advisory_xact_lock(${String(LOCKS.sponsor)}::bigint) as held`
    if (lock?.held !== true) {
      throw new Failure('overloaded', 'Another publication is being paid for: try again in a second', {
        retryAfterSeconds: 1,
      })
    }
    const pending = await readQueue(sql as unknown as Store['db']['sql'], sponsor)
    if (pending.some((each) => each.owner === owner)) {
      throw new Failure(
        'conflict',
        'A publication of this account that this site pays for is on its way: try again when it is mined',
      )
    }
    const own = sql as unknown as Store['db']['sql']
    const refusal = queueRefusal(pending, now) ?? (await budgetRefusal(ctx, owner, reserved, own))
    if (refusal !== undefined) throw refusal
    const account = await readAccount()
    const broke = fundsRefusal(pending, account.balance, reserved)
    if (broke !== undefined) throw broke
    const nonce = Math.max(Number(account.nonce), ...pending.map((each) => each.nonce + 1))
    const signed = await sign(nonce)
    await sql`
      insert into sponsored_transactions (tx_hash, sponsor, nonce, owner, client, plan_hash, status, raw, day,
        reserved, publications, deadline, created_at)
      values (${signed.txHash}, ${sponsor}, ${nonce}, ${owner}, ${ctx.client ?? null}, ${planHash}, 'pending',
        ${signed.raw}, ${dayOf(now)}, ${String(reserved)}, ${publications}, ${deadline}, ${now.toISOString()}::text::timestamptz)`
    await sql`
      update sponsored_transactions set client = null where day < ${dayOf(now)} and client is not null`
    await sql`
      delete from sponsored_transactions
      where day < ${dayOf(new Date(now.getTime() - DAYS_KEPT * 86_400_000))} and status <> 'pending'`
    return signed
  }) as Promise<{ txHash: Hash; raw: Hex }>
}

/** The transaction of a plan that is pending or mined. */
export async function findSponsored(
  { db: { sql } }: Store,
  owner: Address,
  planHash: Hash,
): Promise<SponsoredTransaction | undefined> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from sponsored_transactions
    where owner = ${owner} and plan_hash = ${planHash} and status in ('pending', 'mined')
    order by created_at desc limit 1`
  return rows.map(transactionOf)[0]
}

export async function pendingTransactions(
  { db: { sql } }: Store,
  sponsor: Address,
): Promise<SponsoredTransaction[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from sponsored_transactions
    where sponsor = ${sponsor} and status = 'pending' order by nonce limit ${MAX_PENDING}`
  return rows.map(transactionOf)
}

type Row = Omit<SponsoredTransaction, 'reserved' | 'createdAt'> & { reserved: string; createdAt: string }

function columns(sql: Store['db']['sql']) {
  return sql`tx_hash as "txHash", nonce::int as nonce, owner, status, raw, reserved::text as reserved,
    deadline::int as deadline, created_at as "createdAt"`
}

function transactionOf(row: Row): SponsoredTransaction {
  return { ...row, reserved: BigInt(row.reserved), createdAt: new Date(row.createdAt) }
}

/** Replaces the reservation of a transaction by what it cost. Without effect for transactions of others. */
export async function recordCost({ db }: Pick<Services, 'db'>, receipt: TransactionReceipt): Promise<void> {
  const { l1Fee } = receipt as { l1Fee?: bigint | string | null }
  const spent = receipt.gasUsed * receipt.effectiveGasPrice + BigInt(l1Fee ?? 0)
  await db.sql`
    update sponsored_transactions
    set status = ${receipt.status === 'success' ? 'mined' : 'reverted'}, spent = ${String(spent)}, raw = null
    where tx_hash = ${receipt.transactionHash} and status = 'pending'`
}

/** Records that a transaction will never be mined. @param spent What still counts as spent for it. */
export async function recordDropped({ db }: Store, txHash: Hash, spent: bigint): Promise<void> {
  await db.sql`
    update sponsored_transactions set status = 'dropped', spent = ${String(spent)}, raw = null
    where tx_hash = ${txHash} and status = 'pending'`
}

/** Budget of the sponsor today. */
export interface SponsorAccount {
  /** Wei. */
  readonly budget: bigint
  readonly spent: bigint
  readonly reserved: bigint
  readonly publications: number
  readonly transactions: number
  readonly reverted: number
}

/** Accounting of today (UTC); undefined without a sponsor. */
export async function readSponsorAccount(ctx: Store): Promise<SponsorAccount | undefined> {
  const { sponsor } = ctx.config
  if (sponsor.key === undefined) return undefined
  const [row] = await ctx.db.sql<
    { spent: string; reserved: string; publications: number; transactions: number; reverted: number }[]
  >`
    select coalesce(sum(spent), 0)::text as spent,
      coalesce(sum(reserved) filter (where spent is null), 0)::text as reserved,
      coalesce(sum(publications) filter (where status = 'mined'), 0)::int as publications,
      count(*)::int as transactions, (count(*) filter (where status = 'reverted'))::int as reverted
    from sponsored_transactions where day = ${dayOf(ctx.clock())}`
  return {
    budget: sponsor.perDay,
    spent: BigInt(row?.spent ?? 0),
    reserved: BigInt(row?.reserved ?? 0),
    publications: row?.publications ?? 0,
    transactions: row?.transactions ?? 0,
    reverted: row?.reverted ?? 0,
  }
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
