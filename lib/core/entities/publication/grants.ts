import type { Context, Services } from '#lib/core/context/context.ts'
import { requireCaller } from '#lib/core/identity/authorise.ts'
import { parseSignature, signedHash } from '#lib/core/identity/verify-signature.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import {
  grantHash,
  MAX_GRANT_PUBLICATIONS,
  MAX_GRANT_SECONDS,
  type PublishingGrant,
} from '#lib/protocol/publishing-grant.ts'
import { requirePublication } from './preconditions.ts'

/** A stored grant and what was used of it. */
export interface StoredGrant extends Omit<PublishingGrant, 'salt'> {
  readonly id: Hash
  readonly name: string
  readonly createdAt: Date
  /** Undefined while it holds. */
  readonly revokedAt: Date | undefined
  /** Of transactions that are mined or on their way. */
  readonly usedPublications: number
  /** Wei that is spent or reserved. */
  readonly spent: bigint
}

/** Grants of one account that hold at the same time. */
export const MAX_GRANTS = 20
const MAX_LISTED = 200

/**
 * Stores a grant that the caller signed. Idempotent while it holds; one that was revoked never holds again.
 *
 * @throws Failure('invalid_request') for terms out of range or a signature that is not the caller's, Failure('conflict')
 *   for a revoked one, Failure('too_many') beyond the limit of an account.
 */
export async function createGrant(
  ctx: Context,
  input: Omit<PublishingGrant, 'owner'> & { readonly name: string; readonly signature: string },
): Promise<StoredGrant> {
  const chain = requirePublication(ctx)
  const owner = requireCaller(ctx)
  const grant = { ...input, owner }
  const now = Math.floor(ctx.clock().getTime() / 1000)
  const kinds = [...new Set(grant.kinds)].sort()
  if (kinds.length === 0 || String(kinds) !== String(grant.kinds)) {
    refuse('Name each kind once, in alphabetical order')
  }
  if (grant.agent === owner) refuse('The agent must have an account of its own')
  if (grant.publications < 1 || grant.publications > MAX_GRANT_PUBLICATIONS) {
    refuse(`Between 1 and ${MAX_GRANT_PUBLICATIONS} publications`)
  }
  if (grant.budget < 1n || grant.budget >= 2n ** 128n) refuse('The budget must be an amount of wei')
  if (grant.expires <= now) refuse('Its end has passed')
  if (grant.expires > now + MAX_GRANT_SECONDS) refuse('A grant lasts a year at most')
  const signature = parseSignature(grant.signature)
  if (signature === undefined) return refuse('Invalid signature: it must be hex, at most 4096 bytes')
  await chain.verify()
  const { chainId, registry } = chain
  const id = grantHash(grant, { chainId, registry, site: ctx.config.siteOrigin })
  if (!(await signedHash(chain.public, owner, id, signature, ctx.config.allowedOrigins))) {
    refuse('The signature is not that of your account for this grant, on this site and chain')
  }
  await ctx.db.sql.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`grants ${owner}`}))`
    const [{ count = 0 } = {}] = await sql<{ count: number }[]>`
      select count(*)::int as count from publishing_grants
      where owner = ${owner} and id <> ${id} and revoked_at is null
        and expires_at > ${ctx.clock().toISOString()}::text::timestamptz`
    if (count >= MAX_GRANTS) {
      throw new Failure('too_many', `An account has at most ${MAX_GRANTS} grants: revoke one first`)
    }
    await sql`
      insert into publishing_grants (id, owner, agent, name, kinds, publications, budget, expires_at, created_at)
      values (${id}, ${owner}, ${grant.agent}, ${grant.name}, ${kinds}, ${grant.publications},
        ${String(grant.budget)}, to_timestamp(${grant.expires}), ${ctx.clock().toISOString()}::text::timestamptz)
      on conflict (id) do nothing`
  })
  const stored = await findGrant(ctx, id)
  if (stored === undefined || stored.revokedAt !== undefined) {
    throw new Failure('conflict', 'This grant was revoked: sign a new one')
  }
  return stored
}

/** Revokes a grant of the caller, at once: nothing is paid for any more, prepared or not. Idempotent. */
export async function revokeGrant(ctx: Context, id: Hash): Promise<void> {
  const owner = requireCaller(ctx)
  await ctx.db.sql`
    update publishing_grants set revoked_at = coalesce(revoked_at, ${ctx.clock().toISOString()}::text::timestamptz)
    where id = ${id} and owner = ${owner}`
}

/** The caller's grants, the newest first, at most 200. */
export function listGrants(ctx: Context): Promise<StoredGrant[]> {
  const owner = requireCaller(ctx)
  return selectGrants(ctx, (sql) => sql`owner = ${owner} order by created_at desc limit ${MAX_LISTED}`)
}

/** A grant, for its owner and its agent. @throws Failure('not_found') for all others. */
export async function readGrant(ctx: Context, id: Hash): Promise<StoredGrant> {
  const caller = requireCaller(ctx)
  const grant = await findGrant(ctx, id)
  if (grant !== undefined && (grant.owner === caller || grant.agent === caller)) return grant
  throw new Failure('not_found', 'There is no such grant of this account')
}

type Sql = Services['db']['sql']

async function findGrant(ctx: Pick<Services, 'db'>, id: Hash): Promise<StoredGrant | undefined> {
  const [grant] = await selectGrants(ctx, (sql) => sql`id = ${id}`)
  return grant
}

interface Row extends Omit<StoredGrant, 'budget' | 'spent' | 'createdAt' | 'revokedAt'> {
  readonly budget: string
  readonly spent: string
  readonly createdAt: string
  readonly revokedAt: string | null
}

async function selectGrants(
  { db: { sql } }: Pick<Services, 'db'>,
  where: (sql: Sql) => ReturnType<Sql>,
): Promise<StoredGrant[]> {
  const rows = await sql<Row[]>`
    select g.id, g.owner, g.agent, g.name, g.kinds, g.publications, g.budget::text as budget,
      extract(epoch from g.expires_at)::int as expires, g.created_at as "createdAt", g.revoked_at as "revokedAt",
      used.publications as "usedPublications", used.spent
    from (select * from publishing_grants where ${where(sql)}) g
    cross join lateral (${usedOf(sql, sql`g.id`)}) used
    order by g.created_at desc`
  return rows.map((row) => ({
    ...row,
    budget: BigInt(row.budget),
    spent: BigInt(row.spent),
    createdAt: new Date(row.createdAt),
    revokedAt: row.revokedAt === null ? undefined : new Date(row.revokedAt),
  }))
}

function usedOf(sql: Sql, id: ReturnType<Sql>) {
  return sql`
    select coalesce(sum(publications) filter (where status in ('pending', 'mined')), 0)::int as publications,
      coalesce(sum(coalesce(spent, reserved)), 0)::text as spent
    from sponsored_transactions where grant_id = ${id}`
}

/**
 * Why a grant does not cover a transaction; undefined when it does.
 *
 * @param sql In the transaction that reserves: a grant that is revoked before it commits covers nothing.
 */
export async function grantRefusal(
  ctx: Pick<Services, 'clock'>,
  sql: Sql,
  wanted: {
    readonly grantId: Hash
    readonly agent: Address
    readonly kinds: readonly EntityKind[]
    readonly publications: number
    readonly wei: bigint
  },
): Promise<Failure | undefined> {
  const [grant] = await sql<
    (Pick<StoredGrant, 'agent' | 'kinds' | 'publications'> & {
      budget: string
      expiresAt: string
      revoked: boolean
    })[]
  >`
    select agent, kinds, publications, budget::text as budget, expires_at as "expiresAt",
      revoked_at is not null as revoked
    from publishing_grants where id = ${wanted.grantId} for share`
  if (grant === undefined || grant.agent !== wanted.agent) {
    return new Failure('not_found', 'There is no such grant of this account')
  }
  if (grant.revoked) return new Failure('forbidden', 'The grant was revoked')
  if (new Date(grant.expiresAt) <= ctx.clock()) return new Failure('forbidden', 'The grant has ended')
  const other = wanted.kinds.find((kind) => !grant.kinds.includes(kind))
  if (other !== undefined) return new Failure('forbidden', `The grant is not for a ${other}`)
  const [used] = await sql<{ publications: number; spent: string }[]>`${usedOf(sql, sql`${wanted.grantId}`)}`
  if ((used?.publications ?? 0) + wanted.publications > grant.publications) {
    return new Failure('forbidden', 'The publications of the grant are used up')
  }
  if (BigInt(used?.spent ?? 0) + wanted.wei > BigInt(grant.budget)) {
    return new Failure('forbidden', 'The budget of the grant does not cover this')
  }
  return undefined
}

/** The account whose agent published an entity at its expense; undefined where none did. */
export async function publishedForAccount(
  { db }: Pick<Services, 'db'>,
  kind: EntityKind,
  name: string,
): Promise<Address | undefined> {
  const [row] = await db.sql<{ owner: Address }[]>`
    select g.owner from entities e
    join sponsored_transactions t on t.tx_hash = e.tx_hash and t.owner = e.owner
    join publishing_grants g on g.id = t.grant_id
    where e.kind = ${kind} and e.name = ${name}`
  return row?.owner
}

function refuse(message: string): never {
  throw new Failure('invalid_request', message)
}
