import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Context, Services } from '#lib/core/context/context.ts'
import { publications } from '#lib/platform/db/schema/index.ts'
import { currentRequest } from '#lib/platform/telemetry/request-scope.ts'
import type { Address, EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'

/** Permanent key of a publication. */
export interface PublicationKey {
  readonly kind: EntityKind
  readonly name: string
  readonly owner: Address
  readonly contentHash: Hash
}

/** The server's own record of a publication; see the table. */
export interface PublicationRecord extends PublicationKey {
  readonly stage: 'prepared' | 'pending' | 'mined' | 'failed'
  readonly address: Address
  readonly calldata: Hex
  readonly gas: bigint
  readonly publicationNonce: number
  /** Unix seconds. */
  readonly deadline: number
  readonly txHash: Hash | null
}

/** Fields that `prepare` determines. */
export type Preparation = PublicationKey &
  Pick<PublicationRecord, 'address' | 'calldata' | 'gas' | 'publicationNonce' | 'deadline'>

type Store = Pick<Services, 'db'>

/** Id of the current request; without one the stored id stays. */
function requestId() {
  return currentRequest()?.requestId ?? sql`${publications.requestId}`
}

function keyed(key: PublicationKey) {
  return and(
    eq(publications.kind, key.kind),
    eq(publications.name, key.name),
    eq(publications.owner, key.owner),
    eq(publications.contentHash, key.contentHash),
  )
}

export async function findPublication(
  { db }: Store,
  key: PublicationKey,
): Promise<PublicationRecord | undefined> {
  const [row] = await db.orm.select().from(publications).where(keyed(key))
  return row as PublicationRecord | undefined
}

/**
 * Stores a preparation in place of `previous` (undefined: the first). When a concurrent request was faster, its
 * preparation is returned, so that all clients sign the same calldata.
 */
export async function storePreparation(
  ctx: Store,
  preparation: Preparation,
  previous: PublicationRecord | undefined,
): Promise<PublicationRecord> {
  const { address, calldata, gas, publicationNonce, deadline } = preparation
  const [row] = await ctx.db.orm
    .insert(publications)
    .values({ ...preparation, stage: 'prepared', requestId: currentRequest()?.requestId ?? null })
    .onConflictDoUpdate({
      target: [publications.kind, publications.name, publications.owner, publications.contentHash],
      set: {
        address,
        calldata,
        gas,
        publicationNonce,
        deadline,
        stage: 'prepared',
        requestId: requestId(),
        failure: null,
        updatedAt: sql`now()`,
      },
      setWhere: previous === undefined ? sql`false` : eq(publications.calldata, previous.calldata),
    })
    .returning()
  const record = row ?? (await findPublication(ctx, preparation))
  if (record === undefined) {
    const internal = 'Another request replaced the preparation, and its row is gone'
    throw new Failure('storage_unavailable', 'The publication could not be stored', {}, { internal })
  }
  return record as PublicationRecord
}

/**
 * Updates the stage of a publication, if this server prepared it. `mined` never returns to `pending`: the worker may
 * have indexed the event before `send` records its stage.
 */
export async function recordStage(
  { db }: Store,
  key: PublicationKey,
  change: { stage: 'pending' | 'mined' | 'failed'; txHash: Hash; failure?: string },
): Promise<void> {
  await db.orm
    .update(publications)
    .set({
      stage: change.stage,
      txHash: change.txHash,
      failure: change.failure ?? null,
      requestId: requestId(),
      ...(change.stage === 'pending' && { attempts: sql`${publications.attempts} + 1` }),
      updatedAt: sql`now()`,
    })
    .where(and(keyed(key), change.stage === 'pending' ? ne(publications.stage, 'mined') : undefined))
}

/** Records a transaction that a wallet sent directly, at the first request to confirm it. */
export async function recordTransaction({ db }: Store, key: PublicationKey, txHash: Hash): Promise<void> {
  await db.orm
    .update(publications)
    .set({ stage: 'pending', txHash, failure: null, requestId: requestId(), updatedAt: sql`now()` })
    .where(and(keyed(key), eq(publications.stage, 'prepared')))
}

/** Stage of a publication in this server's records. */
export type PublicationStage = Pick<
  PublicationRecord,
  'kind' | 'name' | 'contentHash' | 'stage' | 'txHash' | 'publicationNonce' | 'deadline'
>

const MAX_PUBLICATIONS = 200

/** Returns an owner's newest publications, at most 200. */
export async function listPublications(
  ctx: Pick<Context, 'db'>,
  owner: Address,
): Promise<PublicationStage[]> {
  const { kind, name, contentHash, stage, txHash, publicationNonce, deadline } = publications
  const rows = await ctx.db.orm
    .select({ kind, name, contentHash, stage, txHash, publicationNonce, deadline })
    .from(publications)
    .where(eq(publications.owner, owner))
    .orderBy(desc(publications.updatedAt))
    .limit(MAX_PUBLICATIONS)
  return rows as PublicationStage[]
}
