import { and, eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { artifacts, drafts, entities } from '../db/schema/index.ts'
import type { Artifact } from '../domain/artifact.ts'
import type { Address, EntityKind, Hash } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { stored } from './storage.ts'

/**
 * The caller's own definition of a name: the draft, or what the caller published already.
 *
 * @throws Failure('not_found') when this server holds no definition at all, Failure('forbidden') when only others'.
 */
export const ownDefinition = async (
  ctx: Pick<Context, 'db'>,
  kind: EntityKind,
  name: string,
  caller: Address,
): Promise<{ contentHash: Hash; artifact: Artifact | undefined }> => {
  const { orm } = ctx.db
  const [drafted, published] = await stored(() =>
    Promise.all([
      orm
        .select({ owner: drafts.owner, contentHash: drafts.contentHash, artifact: artifacts.body })
        .from(drafts)
        .leftJoin(artifacts, eq(artifacts.contentHash, drafts.contentHash))
        .where(and(eq(drafts.kind, kind), eq(drafts.name, name))),
      orm
        .select({ owner: entities.owner, contentHash: entities.contentHash, artifact: artifacts.body })
        .from(entities)
        .leftJoin(artifacts, eq(artifacts.contentHash, entities.artifactHash))
        .where(and(eq(entities.kind, kind), eq(entities.name, name))),
    ]),
  )
  // The published definition comes first: a draft behind it can no longer be published.
  const known = [...published, ...drafted]
  if (known.length === 0)
    throw new Failure('not_found', `No local definition of ${kind} ${name}: create it first`)
  const own = known.find(({ owner }) => owner === caller)
  if (own === undefined) throw new Failure('forbidden', `You do not own ${kind} ${name}`)
  return { contentHash: own.contentHash as Hash, artifact: own.artifact ?? undefined }
}
