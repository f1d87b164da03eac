import { randomBytes } from 'node:crypto'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Context } from '#lib/core/context/context.ts'
import { type FeedFilter, usedFilter } from '#lib/core/feed/filter.ts'
import { lockAccount, requireOwner } from '#lib/core/identity/own-account.ts'
import { workerState } from '#lib/platform/db/schema/index.ts'
import { parseTarget, RefusedTarget } from '#lib/platform/outbound/target.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { webhookDeliveries, webhookEndpoints } from './schema.ts'
import { createSecret } from './signature.ts'

/** Endpoints of one account. */
export const MAX_ENDPOINTS = 10

/** Attempts that are listed for each endpoint. */
export const LISTED_DELIVERIES = 100

/** Time for which the secret before a rotation still signs. */
export const OVERLAP_MS = 24 * 60 * 60 * 1000

export type EndpointState = 'active' | 'paused' | 'disabled'

/** An address that the feed is sent to, without its secret. */
export interface Endpoint {
  readonly id: string
  readonly name: string
  readonly url: string
  readonly filter: FeedFilter
  readonly state: EndpointState
  /** Why it was disabled. */
  readonly disabledReason: string | null
  /** Everything up to this number was delivered, or does not pass the filter. */
  readonly position: number
  /** Failed attempts of the next delivery. */
  readonly attempts: number
  readonly failingSince: Date | null
  /** The next attempt while it fails. */
  readonly dueAt: Date
  /** Until when the secret before the last rotation signs too. */
  readonly previousSecretUntil: Date | null
  readonly createdAt: Date
}

export interface EndpointInput {
  readonly name: string
  readonly url: string
  readonly filter: FeedFilter
}

type EndpointChange = { readonly [Key in keyof EndpointInput]?: EndpointInput[Key] | undefined } & {
  readonly state?: 'active' | 'paused' | undefined
}

interface OwnEndpoint {
  readonly account: Address
  readonly id: string
}

type Row = typeof webhookEndpoints.$inferSelect

/** The filter of a stored endpoint; undefined where everything passes. */
export function filterOfRow(
  row: Pick<Row, 'filterKind' | 'filterOwner' | 'filterFormat' | 'filterName'>,
): FeedFilter | undefined {
  return usedFilter({
    kind: (row.filterKind ?? undefined) as EntityKind | undefined,
    owner: (row.filterOwner ?? undefined) as Address | undefined,
    format: (row.filterFormat ?? undefined) as Hash | undefined,
    name: row.filterName ?? undefined,
  })
}

/** Endpoints of an account, oldest first, and the newest number of the outbox. @throws Failure('unauthenticated'), Failure('forbidden') */
export async function listEndpoints(
  ctx: Context,
  account: Address,
): Promise<{ readonly endpoints: readonly Endpoint[]; readonly newest: number }> {
  const owner = requireOwner(ctx, account)
  const rows = await ctx.db.orm
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.owner, owner))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id))
    .limit(MAX_ENDPOINTS)
  return { endpoints: rows.map(endpointOf), newest: await newestNumber(ctx) }
}

/**
 * Creates an endpoint, which receives what is published from now on.
 *
 * @returns the endpoint and its secret, which is returned this once only.
 * @throws Failure('invalid_request') for an address that cannot be reached, Failure('too_many'),
 * Failure('unauthenticated'), Failure('forbidden')
 */
export async function createEndpoint(
  ctx: Context,
  { account, name, url, filter }: EndpointInput & { readonly account: Address },
): Promise<{ readonly endpoint: Endpoint; readonly secret: string }> {
  const owner = requireOwner(ctx, account)
  const secret = createSecret()
  const position = await newestNumber(ctx)
  const values = {
    id: randomBytes(16).toString('base64url'),
    owner,
    name,
    url: checkedUrl(ctx, url),
    ...filterColumns(filter),
    secret,
    position,
  }
  const row = await ctx.db.orm.transaction(async (tx) => {
    await lockAccount(tx, owner)
    if ((await tx.$count(webhookEndpoints, eq(webhookEndpoints.owner, owner))) >= MAX_ENDPOINTS) {
      throw new Failure('too_many', `An account has at most ${MAX_ENDPOINTS} webhooks. Delete one first.`)
    }
    const [created] = await tx.insert(webhookEndpoints).values(values).returning()
    return created as Row
  })
  return { endpoint: endpointOf(row), secret }
}

/**
 * Changes what is given. An endpoint that is made active again goes on where it stopped, at once.
 *
 * @throws Failure('invalid_request'), Failure('not_found'), Failure('unauthenticated'), Failure('forbidden')
 */
export async function changeEndpoint(
  ctx: Context,
  own: OwnEndpoint,
  change: EndpointChange,
): Promise<Endpoint> {
  const { name, url, filter, state } = change
  return updateOwn(ctx, own, {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url: checkedUrl(ctx, url), ...FRESH }),
    ...(filter !== undefined && filterColumns(filter)),
    ...(state !== undefined && { state, disabledReason: null, ...FRESH }),
  })
}

/** Replaces the secret. The old one signs too for a day, so that the receiver can change over. @throws as changeEndpoint */
export async function rotateSecret(
  ctx: Context,
  own: OwnEndpoint,
): Promise<{ readonly endpoint: Endpoint; readonly secret: string }> {
  const secret = createSecret()
  const endpoint = await updateOwn(ctx, own, {
    secret,
    previousSecret: sql`${webhookEndpoints.secret}`,
    previousSecretUntil: new Date(ctx.clock().getTime() + OVERLAP_MS),
  })
  return { endpoint, secret }
}

/** Delivers everything after a number again that passes the filter; from the oldest stored delta on at most. @throws as changeEndpoint */
export async function replayFrom(ctx: Context, own: OwnEndpoint, sinceSeq: number): Promise<Endpoint> {
  requireOwner(ctx, own.account)
  const newest = await newestNumber(ctx)
  if (sinceSeq > newest) {
    throw new Failure('invalid_request', `since_seq: the newest number is ${newest}`)
  }
  return updateOwn(ctx, own, {
    position: sinceSeq,
    // What is in flight commits nothing then.
    generation: sql`${webhookEndpoints.generation} + 1`,
    ...FRESH,
  })
}

/** Asks for one test event, which is sent whatever the state of the endpoint. @throws as changeEndpoint */
export async function requestTest(ctx: Context, own: OwnEndpoint): Promise<Endpoint> {
  return updateOwn(ctx, own, { testId: `test_${randomBytes(12).toString('base64url')}` })
}

/** Deletes an endpoint with its deliveries; nothing happens when there is none. @throws Failure('unauthenticated'), Failure('forbidden') */
export async function deleteEndpoint(ctx: Context, { account, id }: OwnEndpoint): Promise<void> {
  const owner = requireOwner(ctx, account)
  await ctx.db.orm
    .delete(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.owner, owner)))
}

export type Delivery = Omit<typeof webhookDeliveries.$inferSelect, 'endpointId'>

/** The last attempts of an endpoint, newest first. @throws Failure('not_found'), Failure('unauthenticated'), Failure('forbidden') */
export async function listDeliveries(ctx: Context, { account, id }: OwnEndpoint): Promise<Delivery[]> {
  const owner = requireOwner(ctx, account)
  const [row] = await ctx.db.orm
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.owner, owner)))
  if (row === undefined) throw missing()
  return ctx.db.orm
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, id))
    .orderBy(desc(webhookDeliveries.id))
    .limit(LISTED_DELIVERIES)
}

/** Tries at once, as after a success. */
const FRESH = { attempts: 0, failingSince: null, dueAt: sql`now()`, slow: false }

async function updateOwn(
  ctx: Context,
  { account, id }: OwnEndpoint,
  values: Parameters<ReturnType<typeof ctx.db.orm.update<typeof webhookEndpoints>>['set']>[0],
): Promise<Endpoint> {
  const owner = requireOwner(ctx, account)
  const own = and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.owner, owner))
  const [row] =
    Object.keys(values).length === 0
      ? await ctx.db.orm.select().from(webhookEndpoints).where(own)
      : await ctx.db.orm.update(webhookEndpoints).set(values).where(own).returning()
  if (row === undefined) throw missing()
  return endpointOf(row)
}

function missing(): Failure {
  return new Failure('not_found', 'This account has no such webhook')
}

function checkedUrl({ config }: Pick<Context, 'config'>, url: string): string {
  try {
    return parseTarget(url, { allowLoopback: config.webhooksAllowLoopback }).href
  } catch (error) {
    if (error instanceof RefusedTarget) throw new Failure('invalid_request', `url: ${error.message}`)
    throw error
  }
}

async function newestNumber({ db }: Pick<Context, 'db'>): Promise<number> {
  const [row] = await db.orm.select({ newest: workerState.lastStreamSeq }).from(workerState)
  return row?.newest ?? 0
}

function filterColumns({ kind, owner, format, name }: FeedFilter) {
  return {
    filterKind: kind ?? null,
    filterOwner: owner ?? null,
    filterFormat: format ?? null,
    filterName: name ?? null,
  }
}

function endpointOf(row: Row): Endpoint {
  const { id, name, url, position, attempts, failingSince, dueAt, createdAt, disabledReason } = row
  return {
    id,
    name,
    url,
    filter: filterOfRow(row) ?? {},
    state: row.state as EndpointState,
    disabledReason,
    position,
    attempts,
    failingSince,
    dueAt,
    previousSecretUntil: row.previousSecretUntil,
    createdAt,
  }
}
