import { and, eq, ne, sql } from 'drizzle-orm'
import type { Services } from '../context.ts'
import { publications } from '../db/schema/index.ts'
import type { Address, EntityKind, Hash, Hex } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { currentRequest } from '../telemetry/request-scope.ts'

/** What names one publication for ever. */
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

/** What `prepare` settles. */
export type Preparation = PublicationKey &
  Pick<PublicationRecord, 'address' | 'calldata' | 'gas' | 'publicationNonce' | 'deadline'>

type Store = Pick<Services, 'db'>

/** What is known of the request stays where a verb is called without one. */
const requestId = () => currentRequest()?.requestId ?? sql`${publications.requestId}`

const keyed = (key: PublicationKey) =>
  and(
    eq(publications.kind, key.kind),
    eq(publications.name, key.name),
    eq(publications.owner, key.owner),
    eq(publications.contentHash, key.contentHash),
  )

export const findPublication = async (
  { db }: Store,
  key: PublicationKey,
): Promise<PublicationRecord | undefined> => {
  const [row] = await stored(() => db.orm.select().from(publications).where(keyed(key)))
  return row as PublicationRecord | undefined
}

/**
 * Keeps a preparation that replaces `previous` (undefined: the first). When another request was faster, its
 * preparation stands and is returned: all clients sign the same calldata.
 */
export const keepPreparation = async (
  ctx: Store,
  preparation: Preparation,
  previous: PublicationRecord | undefined,
): Promise<PublicationRecord> => {
  const { address, calldata, gas, publicationNonce, deadline } = preparation
  const [row] = await stored(() =>
    ctx.db.orm
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
      .returning(),
  )
  const kept = row ?? (await findPublication(ctx, preparation))
  if (kept === undefined) throw new Failure('storage_unavailable', 'The publication could not be stored')
  return kept as PublicationRecord
}

/**
 * Notes how far a publication came. Without a record (another server prepared it) there is nothing to note. What is
 * mined is not under way again: the worker may have read it before `send` came to say so.
 */
export const recordStage = async (
  { db }: Store,
  key: PublicationKey,
  change: { stage: 'pending' | 'mined' | 'failed'; txHash: Hash; failure?: string },
): Promise<void> => {
  await stored(() =>
    db.orm
      .update(publications)
      .set({
        stage: change.stage,
        txHash: change.txHash,
        failure: change.failure ?? null,
        requestId: requestId(),
        ...(change.stage === 'pending' && { attempts: sql`${publications.attempts} + 1` }),
        updatedAt: sql`now()`,
      })
      .where(and(keyed(key), change.stage === 'pending' ? ne(publications.stage, 'mined') : undefined)),
  )
}

/** Notes the transaction that a wallet sent by itself, the first time somebody asks about it. */
export const noteTransaction = async ({ db }: Store, key: PublicationKey, txHash: Hash): Promise<void> => {
  await stored(() =>
    db.orm
      .update(publications)
      .set({ stage: 'pending', txHash, failure: null, requestId: requestId(), updatedAt: sql`now()` })
      .where(and(keyed(key), eq(publications.stage, 'prepared'))),
  )
}

/** A preparation that cannot be kept must not be handed out. */
export const stored = async <T>(run: () => PromiseLike<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(
      'storage_unavailable',
      'The storage of this server is unavailable; try again later',
      {},
      {
        cause: error,
      },
    )
  }
}
