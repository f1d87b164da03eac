import { desc, eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { publications } from '../db/schema/index.ts'
import type { Address, EntityKind, Hash } from '../domain/entity.ts'
import { stored } from './storage.ts'

/** How far a publication came, by this server's own record. */
export interface PublicationStage {
  readonly kind: EntityKind
  readonly name: string
  readonly contentHash: Hash
  readonly stage: 'prepared' | 'pending' | 'mined' | 'failed'
  readonly txHash: Hash | null
  readonly publicationNonce: number
  /** Unix seconds. */
  readonly deadline: number
}

const MOST = 200

/** An owner's newest publications, finished or not. */
export async function listPublications(
  ctx: Pick<Context, 'db'>,
  owner: Address,
): Promise<PublicationStage[]> {
  const rows = await stored(() =>
    ctx.db.orm
      .select({
        kind: publications.kind,
        name: publications.name,
        contentHash: publications.contentHash,
        stage: publications.stage,
        txHash: publications.txHash,
        publicationNonce: publications.publicationNonce,
        deadline: publications.deadline,
      })
      .from(publications)
      .where(eq(publications.owner, owner))
      .orderBy(desc(publications.updatedAt))
      .limit(MOST),
  )
  return rows as PublicationStage[]
}
